import type { Published } from './draft.ts'

/** Tells the model what is not proven and how to fix it. Null if everything is proven. */
export function repairRequest(published: Published): string | null {
  return published.figures.every(({ isProven }) => isProven) ? null : 'Some figures are not proven.'
}
