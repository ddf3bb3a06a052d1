import type { Proof } from '@querypost/answers'
import { CommandError } from '../command.ts'

/** Checks that a file's content is a proof. */
export function asProof(file: string, content: unknown): Proof {
  const { text, figures } = (content ?? {}) as Partial<Proof>
  if (typeof text === 'string' && Array.isArray(figures) && figures.every(isFigure)) return { text, figures }
  throw new CommandError(2, `${file} is not a proof. Save one with \`querypost proof get\`.`)
}

function isFigure(figure: unknown): boolean {
  const { id, text, value, unit, runId, expression, resultHash, sources = [] } = (figure ?? {}) as Record<string, unknown>
  const isText = [id, text, value, unit, runId, expression, resultHash].every((field) => typeof field === 'string')
  return isText && Array.isArray(sources) && sources.every((source) => typeof (source as { runId?: unknown } | null)?.runId === 'string')
}

/** The query runs that a proof needs the results of. */
export const runIdsOf = ({ figures }: Pick<Proof, 'figures'>): string[] => [
  ...new Set(figures.flatMap(({ runId, sources = [] }) => [runId, ...sources.map((source) => source.runId)])),
]
