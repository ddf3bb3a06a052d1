export { type Config, ConfigError, readConfig } from '../src/settings/config.ts'
export { findOwner } from '../src/settings/data-directory.ts'
