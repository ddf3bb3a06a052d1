import type { AlertStatus, AlertTest, Severity } from '../../api/automations.ts'
import type { BadgeColor } from '../../ui/badge.tsx'
import type { AlertCondition } from './alert-draft.ts'

export const testKindLabels: Record<AlertTest['kind'], string> = {
  threshold: 'crosses a limit',
  change: 'changes by',
  unusual: 'is unusual',
  new_rows: 'has new rows',
  no_rows: 'has no rows',
  stale: 'is out of date',
}

export const severityLabels: Record<Severity, string> = { info: 'Info', warning: 'Warning', critical: 'Critical' }

export const againstLabels: Record<NonNullable<AlertTest['against']>, string> = {
  previous: 'the previous result',
  day: 'a day before',
  week: 'a week before',
  month: 'a month before',
}

export const aggregateLabels: Record<NonNullable<AlertTest['aggregate']>, string> = {
  first: 'First value',
  last: 'Last value',
  min: 'Lowest value',
  max: 'Highest value',
  sum: 'Total',
}

export const statusLabels: Record<AlertStatus, string> = {
  ok: 'OK',
  firing: 'Firing',
  resolved: 'Resolved',
  no_data: 'No data',
  failing: 'Query failing',
}

export const statusColor = (status: AlertStatus, severity: Severity | null): BadgeColor => {
  if (status === 'firing') return severity === 'info' ? 'accent' : severity === 'critical' ? 'danger' : 'warning'
  return status === 'ok' || status === 'resolved' ? 'good' : 'warning'
}

/** One test in words: “the number of rows is > 100”. */
export function describeTest(test: AlertTest): string {
  const measure = test.column === undefined ? 'the number of rows' : `the ${aggregateLabels[test.aggregate ?? 'first'].toLowerCase()} of ${test.column}`
  const times = test.forRuns === undefined ? '' : `, ${test.forRuns} times in a row`
  switch (test.kind) {
    case 'threshold':
      return `${measure} is ${test.comparison} ${test.number}${test.resolveAt === undefined ? '' : ` (until ${test.resolveAt})`}${times}`
    case 'change': {
      const verb = test.direction === 'up' ? 'rises' : test.direction === 'down' ? 'falls' : 'changes'
      const against = test.against === 'previous' ? 'since the previous result' : `compared with ${againstLabels[test.against!]}`
      return `${measure} ${verb} by ${test.by}${test.unit === 'percent' ? ' %' : ''} or more ${against}${times}`
    }
    case 'unusual':
      return `${measure} is ${test.deviations} standard deviations away from the last ${test.results} results${times}`
    case 'stale':
      return `the newest ${test.column || 'time'} is older than ${test.hours} hours${times}`
    case 'new_rows':
      return test.keyColumns?.length ? `there are new rows by ${test.keyColumns.join(', ')}` : 'there are new rows'
    case 'no_rows':
      return `there are no rows${times}`
  }
}

export const describeAlert = ({ tests }: AlertCondition, title: string): string =>
  `Alert on “${title}” when ${tests.map(describeTest).join(', or ')}`
