import type { Decimal } from '@querypost/answers'
import type { ExactNumber } from '../../../engines/duckdb/compare/row-comparer.ts'

export const numberOf = ([units, scale]: ExactNumber): Decimal => ({ units: BigInt(units), scale })
