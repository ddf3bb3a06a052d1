export { type Config, ConfigError, readConfig } from '../src/config.ts'
export { findOwner } from '../src/data-directory.ts'
