import { type Config, ConfigError, readConfig } from '@querypost/server/configuration'
import { type Check, failed, ok, warning } from '../check.ts'

type Environment = Record<string, string | undefined>

/** The settings as `querypost start` reads them, and what it would say to them. */
export function lookAtConfiguration(environment: Environment): { check: Check; config: Config | undefined } {
  try {
    const config = readConfig(environment)
    return { check: judgeConfig(config), config }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return {
      check: failed('configuration', error.message, 'All settings are explained in docs/configuration.md.'),
      config: undefined,
    }
  }
}

export function judgeConfig(config: Pick<Config, 'baseUrl' | 'host' | 'role' | 'databaseUrl'>): Check {
  const { hostname, protocol } = new URL(config.baseUrl)
  const isLocal = /^(localhost|127\..*|\[::1\])$/.test(hostname)
  if (protocol === 'http:' && !isLocal) {
    const remedy = 'Put a proxy with a certificate in front, and set BASE_URL to its https address.'
    return warning(
      'configuration',
      `BASE_URL is ${config.baseUrl}: keys and passwords go over the network unencrypted.`,
      remedy,
    )
  }
  const state = config.databaseUrl === null ? 'embedded store' : 'PostgreSQL'
  return ok('configuration', `Valid: ${config.baseUrl}, role ${config.role}, ${state}.`)
}
