import type { AlertTest, Condition, MuteWindow, Severity } from '../../api/automations.ts'

export type AlertCondition = Extract<Condition, { kind: 'alert' }>

/** An alert as its form holds it. Numbers are as typed. */
export interface AlertDraft {
  /** The shortId of the watched reference, if one is chosen. */
  reference: string | undefined
  tests: AlertTestDraft[]
  muteWindows: MuteWindow[]
  isScheduled: boolean
}

export interface AlertTestDraft {
  kind: AlertTest['kind']
  severity: Severity
  forRuns: string
  /** Empty: the number of rows. */
  column: string
  aggregate: NonNullable<AlertTest['aggregate']>
  comparison: NonNullable<AlertTest['comparison']>
  number: string
  resolveAt: string
  against: NonNullable<AlertTest['against']>
  direction: NonNullable<AlertTest['direction']>
  by: string
  unit: NonNullable<AlertTest['unit']>
  /** Separated by commas. */
  keyColumns: string
  hours: string
  deviations: string
  results: string
}

export const newTest: AlertTestDraft = {
  kind: 'threshold',
  severity: 'warning',
  forRuns: '1',
  column: '',
  aggregate: 'first',
  comparison: '>',
  number: '100',
  resolveAt: '',
  against: 'previous',
  direction: 'either',
  by: '20',
  unit: 'percent',
  keyColumns: '',
  hours: '24',
  deviations: '3',
  results: '30',
}

export const newAlert: AlertDraft = { reference: undefined, tests: [newTest], muteWindows: [], isScheduled: true }

export function toAlertDraft({ reference, tests, muteWindows }: AlertCondition, isScheduled: boolean): AlertDraft {
  return { reference, tests: tests.map(toTestDraft), muteWindows, isScheduled }
}

function toTestDraft({ keyColumns, ...test }: AlertTest): AlertTestDraft {
  const texts = Object.fromEntries(Object.entries(test).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]))
  return { ...newTest, ...texts, ...(keyColumns && { keyColumns: keyColumns.join(', ') }) }
}

/** The request body. The service validates it, so the form doesn't repeat its rules. */
export const alertOf = ({ reference, tests, muteWindows }: Pick<AlertDraft, 'reference' | 'tests' | 'muteWindows'>): AlertCondition => ({
  reference: reference ?? '',
  kind: 'alert',
  tests: tests.map(testOf),
  muteWindows,
})

function testOf(draft: AlertTestDraft): AlertTest {
  const { kind, severity } = draft
  const forRuns = draft.forRuns.trim()
  const base = { kind, severity, ...(kind !== 'new_rows' && forRuns !== '' && forRuns !== '1' && { forRuns: numberOf(forRuns) }) }
  const column = draft.column.trim()
  const measure = column === '' ? {} : { column, aggregate: draft.aggregate }
  switch (kind) {
    case 'threshold':
      return {
        ...base,
        ...measure,
        comparison: draft.comparison,
        number: numberOf(draft.number),
        ...(draft.resolveAt.trim() !== '' && { resolveAt: numberOf(draft.resolveAt) }),
      }
    case 'change':
      return { ...base, ...measure, against: draft.against, direction: draft.direction, by: numberOf(draft.by), unit: draft.unit }
    case 'unusual':
      return { ...base, ...measure, deviations: numberOf(draft.deviations), results: numberOf(draft.results) }
    case 'stale':
      return { ...base, column, hours: numberOf(draft.hours) }
    case 'new_rows':
      return { ...base, keyColumns: draft.keyColumns.split(',').map((name) => name.trim()).filter((name) => name !== '') }
    case 'no_rows':
      return base
  }
}

/** NaN becomes null in JSON, which the service rejects with an error for this field. */
const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))
