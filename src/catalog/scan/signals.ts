/** What single words tell of a text, so that rules which search for more need not look at every text. */
export type Signal = 'backwards' | 'rotated' | 'command' | 'speaker'

/** The words of each signal, as an alternative of `phrase.ts`. */
export const signalWords: { readonly [S in Signal]: string } = {
  backwards: 'erongi|snoitcurtsni|suoiverp|tpmorp|dragersid|sdrowssap|yletercs|retfa|slaitnederc',
  rotated:
    'vtaber|vafgehpgvbaf|cerivbhf|qvfertneq|cebzcg|cnffjbeq|frpergyl|rkslygengr|vafgehpgvba|perqragvnyf',
  command: 'curl|wget|iwr|webrequest|bash|sh|rm|nc|powershell|iex|expression|base64|crontab|chmod|tcp|cat',
  speaker:
    'system|assistant|developer|human|user|inst|sys|im|important|tool|function|api|start|eot|turn|endoftext|critical|mandatory|secret|hidden|override|admin|attention|antml|instructions|priority|message|channel|return|begin',
}
