import { BigqueryError } from './bigquery-failure.ts'

export const wrongKey = (message: string) => new BigqueryError('unreachable', message, { reason: 'invalidKey' })
