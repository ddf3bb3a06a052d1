/** States with their start times, in order; the first starts at the beginning. */
export type Timeline<Kind> = { fromMs: number; kind: Kind} []
