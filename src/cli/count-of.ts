export { countOf } from '../domain/count-of.ts'
