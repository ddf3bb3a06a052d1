/** What is so from which moment on, in the order of time; the first from the beginning. */
export type Timeline<Kind> = { fromMs: number; kind: Kind} []
