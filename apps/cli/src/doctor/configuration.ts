import { type Config, ConfigError, readConfig } from '@querypost/server/configuration'
import { type Check, failed, ok, warning } from '../checks.ts'

type Environment = Record<string, string | undefined>

/** Reads the settings as `querypost start` does. `config` is undefined if they are invalid. */
export function checkConfiguration(environment: Environment): { check: Check; config: Config | undefined } {
  try {
    const config = readConfig(environment)
    return { check: judgeConfig(config), config }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return {
      check: failed('configuration', error.message, 'docs/configuration.md explains all settings.'),
      config: undefined,
    }
  }
}

export function judgeConfig(config: Pick<Config, 'baseUrl' | 'host' | 'role' | 'databaseUrl'>): Check {
  const { hostname, protocol } = new URL(config.baseUrl)
  const isLocal = /^(localhost|127\..*|\[::1\])$/.test(hostname)
  if (protocol === 'http:' && !isLocal) {
    const remedy = 'Put an https proxy in front, and set BASE_URL to its address.'
    return warning(
      'configuration',
      `BASE_URL is ${config.baseUrl}: keys and passwords go over the network unencrypted.`,
      remedy,
    )
  }
  const state = config.databaseUrl === null ? 'embedded store' : 'PostgreSQL'
  return ok('configuration', `Valid: ${config.baseUrl}, role ${config.role}, ${state}.`)
}
