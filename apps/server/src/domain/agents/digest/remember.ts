import { decimalText, type FigureSource } from '@querypost/answers'
import { type Observation, observationMaxLength, type ObservedRows, rememberedKeys } from '../../../model/observation.ts'
import type { Picture } from './picture.ts'

/** The part of a picture that is stored for comparison with the next run. */
export function remember(picture: Picture, run: { runId: string; sqlHash: string; source: Omit<FigureSource, 'runId'> }): Observation {
  const { source, ...identity } = run
  const observation: Observation = {
    version: 1,
    ...identity,
    ...(picture.unreadable.size === 0 && { source }),
    rowCount: picture.rowCount,
    totals: picture.totals.map(({ column, total }) => [column.name, decimalText(total)]),
    rows: rememberRows(picture),
  }
  if (JSON.stringify(observation).length <= observationMaxLength) return observation
  // There are hundreds of columns with long names. The most important totals come first.
  return { ...observation, rows: null, totals: observation.totals.slice(0, 100) }
}

function rememberRows(picture: Picture): ObservedRows | null {
  const { kind, series, values } = picture
  if (kind === 'counted') return null
  // In a long series the latest periods matter. Storing only some keys would make all others look new.
  const rows = kind === 'series' ? picture.rows.slice(-rememberedKeys) : picture.rows
  if (rows.length > rememberedKeys) return null
  return {
    kind: kind === 'series' ? 'periods' : 'keys',
    keyColumns: picture.keys.map(({ name }) => name),
    valueColumns: values.map(({ name }) => name),
    rows: rows.map((row) => ({ key: row.key, values: row.values.map((value) => value && decimalText(value)) })),
    incompleteFrom: (series && picture.rows[series.completeCount]?.key[0]) ?? null,
  }
}
