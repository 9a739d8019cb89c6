/**
 * Tool sets on which quality is read and on which nothing is ever trained or tuned. Their averages are the headline of
 * this project; the order is the order of reports.
 */
export const devSets: readonly string[] = [
  'apigen',
  'bfcl-live',
  'acebench',
  'callnavi',
  'azure-mcp',
  'azure-mcp-consolidated',
  'mcptoolbenchpp',
  'mcpproxy-golden',
  'ultratool',
  'toollens',
  'rotbench',
  'restgpt-spotify',
  'restgpt-tmdb',
  'autotools-food',
  'autotools-music',
  'autotools-weather',
  'craft-math-algebra',
  'craft-tabmwp',
  'craft-vqa',
  'toolalpaca',
  'appbench',
  'nestful',
  'gorilla-pytorch',
  'gorilla-tensor',
  'tooleyes-servers',
  'toolemu-servers',
]

/** Sets whose publishers split them: only queries of these splits are for evaluation. */
export const evaluationSplits: ReadonlyMap<string, readonly string[]> = new Map([['toollens', ['test']]])
