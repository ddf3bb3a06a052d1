import { isIP } from 'node:net'
import path from 'node:path'
import { slackApiUrlDefault } from '../domain/channels/slack/slack-api.ts'
import { type DatabaseAddressRules, findClosedNetwork } from '../domain/databases/database-addresses.ts'
import type { ApiLimits } from '../domain/api-limits/api-limits.ts'
import { auditLogDaysDefault } from '../domain/audit/sweep-audit-log.ts'
import { reportMessagesPerSecondDefault } from '../domain/reports/report-pace.ts'
import { retentionDaysDefault } from '../domain/retention.ts'
import { apiKeyPattern } from '../domain/people/api-keys.ts'
import { type AddressRules, parseAllowedNetworks } from '../domain/webhooks/addresses/endpoint-addresses.ts'
import type { TrustProxy } from '../http/client-address.ts'
import type { QueryApiSetting } from '../http/query-api-retirement.ts'
import type { OidcSettings } from '../ports/oidc.ts'
import { attributeNamePattern } from '../model/row-rule.ts'
import { samplerNames } from '../ports/telemetry/sampler.ts'
import { parseKeyValues, type TelemetrySetting } from '../ports/telemetry/telemetry-setting.ts'
import type { ResultsSetting } from '../results/results-setting.ts'

/** Everything an operator can configure. Every setting has a working default; `docs/configuration.md` explains them. */
export interface Config {
  host: string
  port: number
  /** Without a trailing slash. */
  baseUrl: string
  /** Whose `X-Forwarded-For` header to trust: the number of proxies, or their networks. Null: none. */
  trustProxy: TrustProxy | null
  dataDirectory: string
  /** Null: the embedded PostgreSQL in `dataDirectory`. */
  databaseUrl: string | null
  /** Set if `databaseUrl` leads to a pooler of transactions: the address of PostgreSQL itself. */
  databaseDirectUrl: string | null
  /** Null: generated once into `dataDirectory`. */
  secretKey: string | null
  role: Role
  /** How long a stopping process still accepts requests, so that load balancers can notice and stop sending them. */
  drainSeconds: number
  /** How many server-sent event streams this process keeps open at most. */
  eventStreamsMax: number
  /** How many requests a minute an API key, and all keys of an organization, may send. */
  apiLimits: ApiLimits
  queryApi: QueryApiSetting
  /** Where results are stored. */
  results: ResultsSetting
  resultTtlHours: number
  /** How long records of the audit log are kept. */
  auditLogDays: number
  /** How long unsaved queries, runs, chats, the history of alerts and unused images are kept. */
  unsavedQueryDays: number
  runDays: number
  chatDays: number
  alertHistoryDays: number
  unusedImageDays: number
  queryTimeoutSeconds: number
  resultMaxRows: number
  resultMaxMb: number
  webhookAllowedNetworks: AddressRules['allowedNetworks']
  /** Null: the system's DNS servers. */
  webhookDnsServers: string[] | null
  /** Private networks in which models and data connectors are allowed, including this machine. */
  agentAllowedNetworks: AddressRules['allowedNetworks']
  /** Ends with a slash. */
  slackApiUrl: string
  agentTimeoutSeconds: number
  /** How many messages of one report are due a second, and how many of all reports this process sends. */
  reportMessagesPerSecond: number
  /** Empty: databases may be in public and private networks. */
  databaseAllowedNetworks: DatabaseAddressRules['allowedNetworks']
  /** Per database server and per process. */
  databaseMaxConnections: number
  /** Null: notifications are shown only in the web app. */
  smtp: { url: string; from: string } | null
  /** Null: people sign in only with a password. */
  oidc: OidcSettings | null
  bootstrap: { email: string; password: string | null; apiKey: string | null }
  /** Null: `text` at a terminal, `json` elsewhere. */
  logFormat: LogFormat | null
  /** Null: `warn` for text, `info` for JSON. */
  logLevel: string | null
  /** Null: no traces and metrics are sent. */
  telemetry: TelemetrySetting | null
}

export const roles = ['all', 'api', 'worker'] as const
export type Role = (typeof roles)[number]

export const logFormats = ['json', 'text'] as const
export type LogFormat = (typeof logFormats)[number]

/** An invalid value. The message names the variable, says what is wrong with it, and gives an example. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** At most a hundred years, which is as good as forever. */
const days = (fallback: number) => ({ fallback, min: 1, max: 36_500 })

type Environment = Record<string, string | undefined>

/** 0: no limit. */
const requestsAMinute = { fallback: 0, min: 0, max: 1_000_000 }

export function readConfig(environment: Environment): Config {
  const read = reader(environment)
  const databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const role = read.oneOf('ROLE', roles, 'all')
  const port = read.integer('PORT', { fallback: 3000, min: 0, max: 65535 })
  const config: Config = {
    host: read.text('HOST') ?? '127.0.0.1',
    port,
    baseUrl: read.url('BASE_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? `http://localhost:${port}`,
    trustProxy: read.trustProxy('TRUST_PROXY'),
    dataDirectory: path.resolve(read.text('DATA_DIR') ?? './data'),
    databaseUrl,
    databaseDirectUrl: read.url('DATABASE_DIRECT_URL', ['postgres:', 'postgresql:']),
    secretKey: read.matching('SECRET_KEY', {
      pattern: /^.{32,}$/,
      fault: 'is shorter than 32 characters',
      example: 'the output of: openssl rand -base64 32',
    }),
    role,
    // A single process has no other to send requests to, and a worker gets no requests.
    drainSeconds: read.number('DRAIN_SECONDS', { fallback: databaseUrl && role !== 'worker' ? 5 : 0, min: 0, max: 3600 }),
    apiLimits: {
      perKey: read.integer('API_LIMIT_PER_KEY', requestsAMinute) || null,
      perOrganization: read.integer('API_LIMIT_PER_ORGANIZATION', requestsAMinute) || null,
    },
    eventStreamsMax: read.integer('EVENT_STREAMS_MAX', { fallback: 2_000, min: 1, max: 100_000 }),
    queryApi: {
      state: read.oneOf('QUERY_API', ['active', 'retired'], 'active'),
      sunset: read.time('QUERY_API_SUNSET'),
    },
    results: readResults(read),
    resultTtlHours: read.number('RESULT_TTL_HOURS', { fallback: 24, min: 0.01, max: 24 * 365 }),
    auditLogDays: read.integer('AUDIT_LOG_DAYS', days(auditLogDaysDefault)),
    unsavedQueryDays: read.integer('UNSAVED_QUERY_DAYS', days(retentionDaysDefault.unsavedQueryDays)),
    runDays: read.integer('RUN_DAYS', days(retentionDaysDefault.runDays)),
    chatDays: read.integer('CHAT_DAYS', days(retentionDaysDefault.chatDays)),
    alertHistoryDays: read.integer('ALERT_HISTORY_DAYS', days(retentionDaysDefault.alertHistoryDays)),
    unusedImageDays: read.integer('UNUSED_IMAGE_DAYS', days(retentionDaysDefault.unusedImageDays)),
    queryTimeoutSeconds: read.number('QUERY_TIMEOUT_SECONDS', { fallback: 300, min: 0.1, max: 24 * 3600 }),
    resultMaxRows: read.integer('RESULT_MAX_ROWS', { fallback: 5_000_000, min: 1, max: 1_000_000_000 }),
    resultMaxMb: read.integer('RESULT_MAX_MB', { fallback: 1024, min: 1, max: 1_000_000 }),
    webhookAllowedNetworks: read.networks('WEBHOOK_ALLOWED_NETWORKS'),
    webhookDnsServers: read.dnsServers('WEBHOOK_DNS_SERVERS'),
    agentAllowedNetworks: read.networks('AGENT_ALLOWED_NETWORKS'),
    slackApiUrl: (read.issuer('SLACK_API_URL', slackApiUrlDefault) ?? slackApiUrlDefault).replace(/\/*$/, '/'),
    agentTimeoutSeconds: read.number('AGENT_TIMEOUT_SECONDS', { fallback: 600, min: 1, max: 24 * 3600 }),
    reportMessagesPerSecond: read.number('REPORT_MESSAGES_PER_SECOND', { fallback: reportMessagesPerSecondDefault, min: 0.1, max: 1_000 }),
    databaseAllowedNetworks: read.databaseNetworks('DATABASE_ALLOWED_NETWORKS'),
    databaseMaxConnections: read.integer('DATABASE_MAX_CONNECTIONS', { fallback: 4, min: 1, max: 100 }),
    smtp: readSmtp(read),
    oidc: readOidc(read),
    bootstrap: {
      email: read.matching('BOOTSTRAP_EMAIL', {
        pattern: /^[^\s@]+@[^\s@]+$/,
        fault: 'is not an e-mail address',
        example: 'admin@example.com',
      }) ?? 'admin@localhost',
      password: read.matching('BOOTSTRAP_PASSWORD', {
        pattern: /^.{12,256}$/s,
        fault: 'has fewer than 12 (or more than 256) characters',
        example: 'correct horse battery staple',
        isSecret: true,
      }),
      apiKey: read.matching('BOOTSTRAP_API_KEY', {
        pattern: apiKeyPattern,
        fault: 'is not "qp_live_" followed by 32 to 64 letters and digits',
        example: 'qp_live_0123456789abcdefghijABCDEFGHIJ01',
        isSecret: true,
      }),
    },
    logFormat: read.optionalOneOf('LOG_FORMAT', logFormats),
    logLevel: read.optionalOneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']),
    telemetry: readTelemetry(read),
  }
  if (config.role !== 'all' && !config.databaseUrl) {
    throw new ConfigError(
      `ROLE=${config.role} needs DATABASE_URL: only processes that share a PostgreSQL server can divide the work. ` +
        'Example: DATABASE_URL=postgres://querypost:password@localhost:5432/querypost',
    )
  }
  if (config.databaseDirectUrl && !config.databaseUrl) {
    throw new ConfigError(
      'DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler. ' +
        'Example: DATABASE_URL=postgres://querypost:password@pooler:6432/querypost',
    )
  }
  return Object.freeze(config)
}

/** With a PostgreSQL server there may be several processes, so results are stored where all of them can read them. */
function readResults(read: ReturnType<typeof reader>): ResultsSetting {
  const kind = read.oneOf('RESULTS', ['files', 'postgres', 's3'], read.text('DATABASE_URL') ? 'postgres' : 'files')
  const bucket = read.matching('RESULTS_S3_BUCKET', {
    pattern: /^[\w.-]{3,255}$/,
    fault: 'is not a bucket name',
    example: 'acme-querypost',
  })
  const endpoint = read.url('RESULTS_S3_ENDPOINT', ['https:', 'http:'])
  const region = read.matching('RESULTS_S3_REGION', {
    pattern: /^[\w-]{1,64}$/,
    fault: 'is not a region name',
    example: 'eu-central-1',
  })
  const prefix = read.matching('RESULTS_S3_PREFIX', {
    pattern: /^[\w=.-]+(\/[\w=.-]+)*\/?$/,
    fault: 'is not a path of letters, digits, "-", "_", "." and "=" that does not start with "/"',
    example: 'querypost/results/',
  })
  if (kind === 's3') {
    if (bucket !== null) return { kind, bucket, endpoint, region, prefix: `${prefix ?? 'results'}/`.replace(/\/+$/, '/') }
    throw new ConfigError('RESULTS_S3_BUCKET is missing: RESULTS=s3 needs a bucket. Example: RESULTS_S3_BUCKET=acme-querypost')
  }
  const given = { RESULTS_S3_BUCKET: bucket, RESULTS_S3_ENDPOINT: endpoint, RESULTS_S3_REGION: region, RESULTS_S3_PREFIX: prefix }
  const stray = Object.entries(given).find(([, value]) => value !== null)
  if (!stray) return { kind }
  throw new ConfigError(`${stray[0]} is set, but results are not in S3 (RESULTS is ${kind}). Example: RESULTS=s3`)
}

/** Both or neither: most servers reject e-mail without a sender. */
function readSmtp(read: ReturnType<typeof reader>): Config['smtp'] {
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:'])
  const from = read.matching('SMTP_FROM', {
    pattern: /^([^<>\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
    fault: 'is not an e-mail address, with or without a name',
    example: 'Querypost <querypost@example.com>',
  })
  if (url !== null && from !== null) return { url, from }
  if (url === null && from === null) return null
  const missing = url === null ? 'SMTP_URL' : 'SMTP_FROM'
  const example = url === null ? 'smtp://user:password@mail.example.com:587' : 'Querypost <querypost@example.com>'
  throw new ConfigError(`${missing} is missing: SMTP_URL and SMTP_FROM go together. Example: ${missing}=${example}`)
}

const oidcExamples = {
  OIDC_ISSUER: 'https://accounts.example.com',
  OIDC_CLIENT_ID: 'querypost',
  OIDC_CLIENT_SECRET: 'the client secret from the provider',
}

/** `region=region,customer=org.customer_id`: the name of an attribute, and the claim that has its value. */
function readAttributes(read: ReturnType<typeof reader>): { name: string; claim: string }[] {
  const text = read.text('OIDC_ATTRIBUTES')
  if (!text) return []
  return text.split(',').map((part) => {
    const [name = '', claim = '', ...others] = part.trim().split('=')
    if (attributeNamePattern.test(name) && /^\S{1,200}$/.test(claim) && others.length === 0) return { name, claim }
    throw new ConfigError(
      `OIDC_ATTRIBUTES: the value ${JSON.stringify(part.trim())} is no name=claim. Example: OIDC_ATTRIBUTES=region=region,customer=org.customer_id`,
    )
  })
}

/** All three or none. Other OIDC settings without a provider are treated as a mistake. */
function readOidc(read: ReturnType<typeof reader>): Config['oidc'] {
  const issuer = read.issuer('OIDC_ISSUER', oidcExamples.OIDC_ISSUER)
  const clientId = read.text('OIDC_CLIENT_ID')
  const clientSecret = read.text('OIDC_CLIENT_SECRET')
  const name = read.matching('OIDC_NAME', { pattern: /^.{1,60}$/, fault: 'is longer than 60 characters', example: 'Acme' })
  const allowedDomains = read.domains('OIDC_ALLOWED_DOMAINS')
  const rolesClaim = read.matching('OIDC_ROLES_CLAIM', { pattern: /^\S{1,200}$/, fault: 'contains spaces', example: 'realm_access.roles' })
  const adminRole = read.matching('OIDC_ADMIN_ROLE', { pattern: /^.{1,200}$/, fault: 'is too long', example: 'querypost-admin' })
  if (adminRole && !rolesClaim) {
    throw new ConfigError('OIDC_ROLES_CLAIM is missing: OIDC_ADMIN_ROLE needs it. Example: OIDC_ROLES_CLAIM=realm_access.roles')
  }
  const groupsClaim = read.matching('OIDC_GROUPS_CLAIM', { pattern: /^\S{1,200}$/, fault: 'contains spaces', example: 'groups' })
  const attributes = readAttributes(read)
  if (issuer && clientId && clientSecret) {
    const roles = rolesClaim === null ? null : { claim: rolesClaim, admin: adminRole ?? 'admin' }
    return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).host, allowedDomains, roles, groupsClaim, attributes }
  }
  if (!issuer && !clientId && !clientSecret && !name && !rolesClaim && !groupsClaim && attributes.length + allowedDomains.length === 0) return null
  const given = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
  const missing = (Object.keys(given) as (keyof typeof given)[]).find((each) => !given[each])!
  throw new ConfigError(
    `${missing} is missing: OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together. ` +
      `Example: ${missing}=${oidcExamples[missing]}`,
  )
}

/** OpenTelemetry's own variables. Only `TRACE_SQL` is ours. */
function readTelemetry(read: ReturnType<typeof reader>): TelemetrySetting | null {
  if (read.text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null
  const protocols = ['http:', 'https:']
  const base = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', protocols)?.replace(/\/+$/, '')
  const urlOf = (signal: string, exporter: 'otlp' | 'none', own: string | null) => {
    if (exporter === 'none') return null
    return own ?? (base === undefined ? null : `${base}/v1/${signal}`)
  }
  const exporters = ['otlp', 'none'] as const
  const tracesExporter = read.oneOf('OTEL_TRACES_EXPORTER', exporters, 'otlp')
  const tracesUrl = urlOf('traces', tracesExporter, read.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', protocols))
  const metricsExporter = read.oneOf('OTEL_METRICS_EXPORTER', exporters, 'otlp')
  const metricsUrl = urlOf('metrics', metricsExporter, read.url('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', protocols))
  if (tracesUrl === null && metricsUrl === null) return null
  read.optionalOneOf('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/json'])
  const resource = read.keyValues('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=production')
  const { 'service.name': resourceName, ...resourceAttributes } = resource
  return {
    tracesUrl,
    metricsUrl,
    headers: read.keyValues('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20…'),
    serviceName: read.text('OTEL_SERVICE_NAME') ?? resourceName ?? 'querypost',
    resourceAttributes,
    sampler: {
      name: read.oneOf('OTEL_TRACES_SAMPLER', samplerNames, 'parentbased_always_on'),
      ratio: read.number('OTEL_TRACES_SAMPLER_ARG', { fallback: 1, min: 0, max: 1 }),
    },
    showsSql: read.oneOf('TRACE_SQL', ['hidden', 'shown'], 'hidden') === 'shown',
    timeoutMs: read.integer('OTEL_EXPORTER_OTLP_TIMEOUT', { fallback: 10_000, min: 1, max: 600_000 }),
    spansEveryMs: read.integer('OTEL_BSP_SCHEDULE_DELAY', { fallback: 5_000, min: 1, max: 600_000 }),
    metricsEveryMs: read.integer('OTEL_METRIC_EXPORT_INTERVAL', { fallback: 60_000, min: 1, max: 86_400_000 }),
  }
}

function reader(environment: Environment) {
  /** An empty variable counts as not set, as in `PORT= npm start`. */
  const text = (name: string) => environment[name]?.trim() || null
  function reject(name: string, fault: string, example: string, isSecret = false): never {
    const shown = isSecret ? name : `${name}=${text(name)}`
    throw new ConfigError(`${shown}: the value ${fault}. Example: ${name}=${example}`)
  }
  function number(name: string, range: { fallback: number; min: number; max: number }): number {
    const given = text(name)
    if (given === null) return range.fallback
    const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : Number.NaN
    if (value >= range.min && value <= range.max) return value
    return reject(name, `is not a number from ${range.min} to ${range.max}`, String(range.fallback))
  }
  function networks(name: string): AddressRules['allowedNetworks'] {
    const parsed = parseAllowedNetworks(text(name) ?? '')
    if ('networks' in parsed) return parsed.networks
    return reject(name, `is not a list of networks: ${parsed.fault}`, '10.20.0.0/16,fd12:3456::/32')
  }
  function optionalOneOf<Value extends string>(name: string, values: readonly Value[]): Value | null {
    const given = text(name)
    if (given === null) return null
    return values.find((known) => known === given) ?? reject(name, `is none of ${values.join(', ')}`, values[0]!)
  }
  return {
    text,
    number,
    networks,
    databaseNetworks(name: string): AddressRules['allowedNetworks'] {
      const allowed = networks(name)
      const forbidden = findClosedNetwork(allowed)
      if (!forbidden) return allowed
      return reject(name, `has ${forbidden.text}, a network in which databases are never allowed`, '10.20.0.0/16,fd12:3456::/32')
    },
    /** `1`, or `10.0.0.0/8,fd12::/16`. Never every address: then any client could forge its own address. */
    trustProxy(name: string): TrustProxy | null {
      const given = text(name)
      if (given === null) return null
      const example = '127.0.0.1/32,10.0.0.0/8'
      if (/^\d+$/.test(given)) {
        const hops = Number(given)
        return hops >= 1 && hops <= 10 ? hops : reject(name, 'is not a number of proxies from 1 to 10', '1')
      }
      const parsed = parseAllowedNetworks(given)
      if ('fault' in parsed) {
        return reject(name, `is neither a number of proxies nor a list of networks: ${parsed.fault}`, example)
      }
      const everyAddress = parsed.networks.find(({ bits }) => bits === 0)
      if (everyAddress) return reject(name, `has ${everyAddress.text}: trusting every address lets any client forge its own address`, example)
      return parsed.networks.map((network) => network.text)
    },
    integer(name: string, range: { fallback: number; min: number; max: number }): number {
      const value = number(name, range)
      return Number.isInteger(value) ? value : reject(name, 'is not a whole number', String(range.fallback))
    },
    optionalOneOf,
    oneOf: <Value extends string>(name: string, values: readonly Value[], fallback: Value): Value =>
      optionalOneOf(name, values) ?? fallback,
    url(name: string, schemes: string[]): string | null {
      const given = text(name)
      if (given === null) return null
      if (URL.canParse(given) && schemes.includes(new URL(given).protocol)) return given
      // A database URL contains a password.
      return reject(name, `is not a URL that starts with ${schemes.join('// or ')}//`, `${schemes[0]}//…`, true)
    },
    /** https, unless the provider is on this machine: otherwise a man in the middle could impersonate it. */
    issuer(name: string, example: string): string | null {
      const given = text(name)
      if (given === null) return null
      const url = URL.canParse(given) ? new URL(given) : undefined
      const isLocal = url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
      if (url?.protocol !== 'https:' && !isLocal) {
        return reject(name, 'is not a URL that starts with https:// (http:// is allowed only for localhost)', example)
      }
      if (url.search || url.hash || url.username) return reject(name, 'has parts other than a host, a port and a path', example)
      return given
    },
    domains(name: string): string[] {
      const domains = (text(name) ?? '').toLowerCase().split(/[\s,]+/).filter((domain) => domain !== '')
      const stray = domains.find((domain) => !/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/.test(domain))
      if (stray === undefined) return domains
      return reject(name, `has ${stray}, which is not a domain`, 'example.com,example.org')
    },
    keyValues(name: string, example: string): Record<string, string> {
      return parseKeyValues(text(name) ?? '') ?? reject(name, 'is not a list of key=value pairs with percent-encoded values', example, true)
    },
    time(name: string): Date | null {
      const given = text(name)
      if (given === null) return null
      const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(given)
      const time = new Date(given)
      if (isIso && !Number.isNaN(time.getTime())) return time
      return reject(name, 'is not an ISO 8601 time with a time zone', '2027-01-01T00:00:00Z')
    },
    dnsServers(name: string): string[] | null {
      const servers = (text(name) ?? '').split(/[\s,]+/).filter((server) => server !== '')
      const stray = servers.find((server) => !isServer(server))
      if (stray === undefined) return servers.length > 0 ? servers : null
      return reject(name, `has ${stray}, which is not an IP address, with or without a port`, '10.0.0.53,[fd12::53]:5353')
    },
    matching(
      name: string,
      rule: { pattern: RegExp; fault: string; example: string; isSecret?: boolean },
    ): string | null {
      const given = text(name)
      if (given === null || rule.pattern.test(given)) return given
      return reject(name, rule.fault, rule.example, rule.isSecret)
    },
  }
}

/** `10.0.0.53`, `10.0.0.53:5353`, `fd12::53` or `[fd12::53]:5353`. */
function isServer(text: string): boolean {
  if (isIP(text)) return true
  const parts = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[^:]+)):(?<port>\d{1,5})$/.exec(text)?.groups
  if (!parts) return false
  const port = Number(parts['port'])
  return (isIP(parts['v6'] ?? '') === 6 || isIP(parts['v4'] ?? '') === 4) && port >= 1 && port <= 65535
}
