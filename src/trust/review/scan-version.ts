/** Raised when rules of the scan change: then cards are looked through again that did not change. */
export const scanVersion = 11
