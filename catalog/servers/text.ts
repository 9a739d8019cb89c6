import { serveTools } from './shared/serve-tools.ts'
import { jsonTools } from './text/json-tools.ts'
import { lineTools } from './text/line-tools.ts'
import { tableTools } from './text/table-tools.ts'
import { wordTools } from './text/word-tools.ts'

serveTools({
  name: 'audition-text',
  title: 'Text, tables and JSON',
  instructions:
    'Counting, searching, comparing and converting text, CSV tables and JSON documents. Texts are sent in full: nothing ' +
    'is read from files or the network.',
  tools: [...wordTools, ...lineTools, ...tableTools, ...jsonTools],
})
