import { describe, expect, test } from 'vitest'
import { measureNamed, measures } from '../../src/evaluation/measures/measures.ts'

describe('a measure is found by name', () => {
  test.each([
    { text: 'ndcg@10', name: 'ndcg@10', title: 'nDCG@10' },
    { text: 'nDCG@10', name: 'ndcg@10', title: 'nDCG@10' },
    { text: ' mrr@10 ', name: 'mrr@10', title: 'MRR@10' },
    { text: 'map', name: 'map', title: 'MAP' },
    { text: 'map@100', name: 'map@100', title: 'MAP@100' },
    { text: 'recall@5', name: 'recall@5', title: 'Recall@5' },
    { text: 'p@5', name: 'p@5', title: 'P@5' },
    { text: 'f1@5', name: 'f1@5', title: 'F1@5' },
    { text: 'hit@1', name: 'hit@1', title: 'Hit@1' },
    { text: 'completeness@10', name: 'completeness@10', title: 'Completeness@10' },
    { text: 'ndcg-exp@5', name: 'ndcg-exp@5', title: 'Exponential nDCG@5' },
    { text: 'top1', name: 'top1', title: 'Top-1 match' },
    { text: 'kendall', name: 'kendall', title: "Kendall's tau" },
    { text: 'spearman', name: 'spearman', title: "Spearman's rho" },
  ])('$text', ({ text, name, title }) => {
    expect(measureNamed(text)).toMatchObject({ name, title })
  })

  test('and its name finds it again', () => {
    for (const { name, cutoff } of measures) {
      for (const text of cutoff === 'none' ? [name] : [name, `${name}@7`])
        expect(measureNamed(measureNamed(text).name).name).toBe(text)
    }
  })
})

test('no two measures share a name', () => {
  expect(new Set(measures.map(({ name }) => name)).size).toBe(measures.length)
})

describe('a wrong name says what would be right', () => {
  test.each([
    { text: 'accuracy', message: /No measure "accuracy"\. Known: ndcg@k, .*rprec, completeness@k, kendall/ },
    { text: '', message: /No measure ""/ },
    { text: '@10', message: /No measure "@10"/ },
    { text: 'ndcg10', message: /No measure "ndcg10"/ },
    { text: 'toString', message: /No measure "toString"/ },
    { text: 'ndcg@0', message: /whole number from 1\. Write for example ndcg@10/ },
    { text: 'ndcg@', message: /whole number from 1/ },
    { text: 'ndcg@2.5', message: /whole number from 1/ },
    { text: 'ndcg@-1', message: /whole number from 1/ },
    { text: 'ndcg@10@5', message: /whole number from 1/ },
    { text: 'ndcg@1e9', message: /whole number from 1/ },
    { text: 'kendall@5', message: /"kendall" takes no cutoff\. Write kendall\./ },
  ])('$text', ({ text, message }) => {
    expect(() => measureNamed(text)).toThrow(message)
  })
})
