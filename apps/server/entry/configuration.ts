export { type Config, ConfigError, readConfig } from '../src/settings/config.ts'
export { findOwner } from '../src/settings/data-directory.ts'
export { describeTables, type StoredTable } from '../src/domain/describe-tables.ts'
export type { RetentionSetting } from '../src/domain/kept-for.ts'
