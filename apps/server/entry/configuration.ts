export { type Config, ConfigError, readConfig } from '../src/settings/config.ts'
export { findOwner } from '../src/settings/data-directory.ts'
export { describeRetention, type RetentionSetting } from '../src/domain/kept-for.ts'
export { tableRetention } from '../src/domain/table-retention.ts'
