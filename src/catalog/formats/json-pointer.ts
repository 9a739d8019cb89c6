import type { JsonObject } from '../../domain/json.ts'

/**
 * What a local reference such as `#/components/schemas/Pet` points at.
 *
 * @returns undefined when it points nowhere or is not local
 * @see RFC 6901
 */
export function pointedAt(root: unknown, reference: string): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let target: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const key = unescaped(step)
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return undefined
    target = (target as JsonObject)[key]
  }
  return target
}

function unescaped(step: string): string {
  const pointer = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(pointer)
  } catch {
    return pointer // a stray percent sign is part of the name
  }
}
