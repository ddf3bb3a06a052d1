import type { TableSize } from '../store/read-table-sizes.ts'
import { describeRetention, type RetentionSetting } from './kept-for.ts'
import { tableRetention } from './table-retention.ts'

export interface StoredTable extends TableSize {
  /** How long its rows are kept, and by which setting. */
  kept: string
}

/** Adds what limits each table, and puts the largest first. */
export const describeTables = (sizes: TableSize[], settings: Record<RetentionSetting, number>): StoredTable[] =>
  sizes
    .map(({ table, sizeBytes, rowCount }) => {
      const retention = tableRetention[table]
      return { table, sizeBytes, rowCount, kept: retention ? describeRetention(retention, settings) : 'unknown to this version' }
    })
    .toSorted((one, other) => other.sizeBytes - one.sizeBytes || one.table.localeCompare(other.table))
