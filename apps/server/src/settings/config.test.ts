import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('everything has a working default', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    baseUrl: 'http://localhost:3000',
    trustProxy: null,
    dataDirectory: `${process.cwd()}/data`,
    databaseUrl: null,
    databaseDirectUrl: null,
    secretKey: null,
    role: 'all',
    drainSeconds: 0,
    eventStreamsMax: 2_000,
    apiLimits: { perKey: null, perOrganization: null },
    queryApi: { state: 'active', sunset: null },
    results: { kind: 'files' },
    resultTtlHours: 24,
    auditLogDays: 400,
    unsavedQueryDays: 30,
    runDays: 90,
    chatDays: 400,
    alertHistoryDays: 400,
    unusedImageDays: 30,
    queryTimeoutSeconds: 300,
    resultMaxRows: 5_000_000,
    resultMaxMb: 1024,
    webhookAllowedNetworks: [],
    webhookDnsServers: null,
    agentAllowedNetworks: [],
    slackApiUrl: 'https://slack.com/api/',
    agentTimeoutSeconds: 600,
    reportMessagesPerSecond: 20,
    databaseAllowedNetworks: [],
    databaseMaxConnections: 4,
    smtp: null,
    oidc: null,
    bootstrap: { email: 'admin@localhost', password: null, apiKey: null },
    logFormat: null,
    logLevel: null,
    telemetry: null,
  })
})

test('reads every value, and removes the trailing slash of the base URL', () => {
  expect(
    readConfig({
      PORT: '8080',
      BASE_URL: 'https://data.example.com/',
      DATABASE_URL: 'postgres://querypost@localhost/querypost',
      DATABASE_DIRECT_URL: 'postgres://querypost@localhost:5433/querypost',
      TRUST_PROXY: '10.0.0.0/8 fd12::/16,192.0.2.7',
      ROLE: 'worker',
      QUERY_API_SUNSET: '2027-01-01T00:00:00Z',
      RESULT_TTL_HOURS: '0.5',
      WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16, fd12:3456::/32',
      WEBHOOK_DNS_SERVERS: '10.0.0.53, 10.0.0.54:5353,fd12::53 [fd12::53]:5353',
      AGENT_ALLOWED_NETWORKS: '127.0.0.1/32',
      AGENT_TIMEOUT_SECONDS: '90',
      DATABASE_ALLOWED_NETWORKS: '10.20.0.0/16 127.0.0.1',
      DATABASE_MAX_CONNECTIONS: '12',
      AUDIT_LOG_DAYS: '30',
      UNSAVED_QUERY_DAYS: '7',
      RUN_DAYS: '10',
      CHAT_DAYS: '36500',
      ALERT_HISTORY_DAYS: '100',
      UNUSED_IMAGE_DAYS: '3',
      SMTP_URL: 'smtp://user:password@mail.example.com:587?requireTLS=true',
      SMTP_FROM: 'Querypost <querypost@example.com>',
      OIDC_ISSUER: 'https://login.example.com/realms/acme',
      OIDC_CLIENT_ID: 'querypost',
      OIDC_CLIENT_SECRET: 'hush-hush',
      OIDC_ALLOWED_DOMAINS: 'Example.com, example.org',
      OIDC_GROUPS_CLAIM: 'groups',
      OIDC_ATTRIBUTES: 'region=region, customer=org.customer_id',
    }),
  ).toMatchObject({
    port: 8080,
    baseUrl: 'https://data.example.com',
    trustProxy: ['10.0.0.0/8', 'fd12::/16', '192.0.2.7/32'],
    databaseUrl: 'postgres://querypost@localhost/querypost',
    databaseDirectUrl: 'postgres://querypost@localhost:5433/querypost',
    role: 'worker',
    queryApi: { state: 'active', sunset: new Date('2027-01-01T00:00:00Z') },
    resultTtlHours: 0.5,
    auditLogDays: 30,
    unsavedQueryDays: 7,
    runDays: 10,
    chatDays: 36_500,
    alertHistoryDays: 100,
    unusedImageDays: 3,
    webhookAllowedNetworks: [{ bits: 16 }, { bits: 32 }],
    webhookDnsServers: ['10.0.0.53', '10.0.0.54:5353', 'fd12::53', '[fd12::53]:5353'],
    agentAllowedNetworks: [{ bits: 32 }],
    agentTimeoutSeconds: 90,
    databaseAllowedNetworks: [{ bits: 16 }, { bits: 32 }],
    databaseMaxConnections: 12,
    smtp: {
      url: 'smtp://user:password@mail.example.com:587?requireTLS=true',
      from: 'Querypost <querypost@example.com>',
    },
    oidc: {
      issuer: 'https://login.example.com/realms/acme',
      clientId: 'querypost',
      clientSecret: 'hush-hush',
      name: 'login.example.com',
      allowedDomains: ['example.com', 'example.org'],
      groupsClaim: 'groups',
      attributes: [{ name: 'region', claim: 'region' }, { name: 'customer', claim: 'org.customer_id' }],
    },
  })
})

test('an empty variable counts as not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: null })
})

test.each([
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['PORT', '80.5'],
  ['OIDC_ATTRIBUTES', 'region'],
  ['OIDC_ATTRIBUTES', 'a b=c'],
  ['BASE_URL', 'localhost:3000'],
  ['BASE_URL', 'ftp://example.com'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_DIRECT_URL', 'localhost:5432'],
  ['SECRET_KEY', 'short'],
  ['ROLE', 'boss'],
  ['QUERY_API', 'gone'],
  ['QUERY_API_SUNSET', 'next year'],
  ['QUERY_API_SUNSET', '2027-13-01T00:00:00Z'],
  ['RESULTS', 'disk'],
  ['RESULTS_S3_BUCKET', 'my bucket'],
  ['RESULTS_S3_ENDPOINT', 'minio:9000'],
  ['RESULTS_S3_REGION', 'eu central'],
  ['RESULTS_S3_PREFIX', '/results'],
  ['RESULT_TTL_HOURS', '-1'],
  ['QUERY_TIMEOUT_SECONDS', '0'],
  ['RESULT_MAX_ROWS', '1e6'],
  ['RESULT_MAX_MB', '0'],
  ['TRUST_PROXY', '0'],
  ['TRUST_PROXY', '11'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '10.1.2.3/8'],
  ['TRUST_PROXY', '10.0.0.0/8,0.0.0.0/0'],
  ['TRUST_PROXY', '::/0'],
  ['WEBHOOK_ALLOWED_NETWORKS', 'office'],
  ['WEBHOOK_ALLOWED_NETWORKS', '10.1.2.3/8'],
  ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33'],
  ['WEBHOOK_DNS_SERVERS', 'ns.example.com'],
  ['WEBHOOK_DNS_SERVERS', '10.0.0.53:0'],
  ['WEBHOOK_DNS_SERVERS', '10.0.0.53:65536'],
  ['WEBHOOK_DNS_SERVERS', '10.0.0.53,[10.0.0.54]:53'],
  ['WEBHOOK_DNS_SERVERS', '[fd12::53'],
  ['AGENT_ALLOWED_NETWORKS', 'localhost'],
  ['AGENT_TIMEOUT_SECONDS', '0'],
  ['DATABASE_ALLOWED_NETWORKS', 'warehouse'],
  ['DATABASE_ALLOWED_NETWORKS', '10.0.0.0/8,169.254.0.0/16'],
  ['DATABASE_MAX_CONNECTIONS', '0'],
  ['AUDIT_LOG_DAYS', '0'],
  ['AUDIT_LOG_DAYS', '1.5'],
  ['SMTP_URL', 'mail.example.com'],
  ['SMTP_URL', 'https://mail.example.com'],
  ['SMTP_FROM', 'Querypost'],
  ['OIDC_ISSUER', 'login.example.com'],
  ['OIDC_ISSUER', 'http://login.example.com'],
  ['OIDC_ISSUER', 'http://localhost.example.com'],
  ['OIDC_ISSUER', 'https://login.example.com/?tenant=acme'],
  ['OIDC_NAME', 'x'.repeat(61)],
  ['OIDC_ALLOWED_DOMAINS', 'example.com,@example.org'],
  ['OIDC_ALLOWED_DOMAINS', 'localhost'],
  ['BOOTSTRAP_EMAIL', 'nobody'],
  ['BOOTSTRAP_PASSWORD', 'short'],
  ['BOOTSTRAP_API_KEY', 'qp_live_tooshort'],
  ['LOG_LEVEL', 'loud'],
  ['LOG_FORMAT', 'xml'],
])('%s=%s prevents the start with a message that names the variable, what is wrong and an example', (name, value) => {
  const read = () => readConfig({ [name]: value })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(new RegExp(`^${name}.*: the value .+\\. Example: ${name}=.+`))
})

test.each(['BOOTSTRAP_PASSWORD', 'BOOTSTRAP_API_KEY', 'DATABASE_URL', 'DATABASE_DIRECT_URL', 'SMTP_URL'])('an error about %s hides its value', (name) => {
  expect(() => readConfig({ [name]: 'hush-hush' })).toThrow(/^(?!.*hush-hush)/)
})

test('a direct address needs the address of the pooler', () => {
  expect(() => readConfig({ DATABASE_DIRECT_URL: 'postgres://localhost/querypost' })).toThrow('DATABASE_DIRECT_URL needs DATABASE_URL')
})

test('roles other than all need a PostgreSQL server', () => {
  expect(() => readConfig({ ROLE: 'api' })).toThrow('ROLE=api needs DATABASE_URL')
})

test.each([
  ['SMTP_FROM', { SMTP_URL: 'smtp://user:hush-hush@mail.example.com' }],
  ['SMTP_URL', { SMTP_FROM: 'querypost@example.com' }],
])('%s is required when only the other is set', (missing, environment) => {
  expect(() => readConfig(environment)).toThrow(new RegExp(`^${missing} is missing: .*Example: ${missing}=`))
  expect(() => readConfig(environment)).toThrow(/^(?!.*hush-hush)/)
})

test.each([
  ['OIDC_ISSUER', { OIDC_CLIENT_ID: 'querypost', OIDC_CLIENT_SECRET: 'hush-hush' }],
  ['OIDC_CLIENT_ID', { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_SECRET: 'hush-hush' }],
  ['OIDC_CLIENT_SECRET', { OIDC_ISSUER: 'http://localhost:8080', OIDC_CLIENT_ID: 'querypost' }],
  ['OIDC_ISSUER', { OIDC_NAME: 'Acme' }],
  ['OIDC_ISSUER', { OIDC_ROLES_CLAIM: 'roles' }],
  ['OIDC_ISSUER', { OIDC_GROUPS_CLAIM: 'groups' }],
  ['OIDC_ISSUER', { OIDC_ATTRIBUTES: 'region=region' }],
  ['OIDC_ROLES_CLAIM', { OIDC_ADMIN_ROLE: 'boss' }],
  ['OIDC_ISSUER', { OIDC_ALLOWED_DOMAINS: 'example.com' }],
])('%s is required when only %o is set', (missing, environment) => {
  expect(() => readConfig(environment)).toThrow(new RegExp(`^${missing} is missing: .*Example: ${missing}=`))
  expect(() => readConfig(environment)).toThrow(/^(?!.*hush-hush)/)
})

test('results default to files with the embedded store, and to PostgreSQL with a server', () => {
  const server = { DATABASE_URL: 'postgres://querypost@localhost/querypost' }
  expect(readConfig({}).results).toEqual({ kind: 'files' })
  expect(readConfig(server).results).toEqual({ kind: 'postgres' })
  expect(readConfig({ ...server, RESULTS: 'files' }).results).toEqual({ kind: 'files' })
  expect(readConfig({ RESULTS: 'postgres' }).results).toEqual({ kind: 'postgres' })
})

test.each([
  [{}, { endpoint: null, region: null, prefix: 'results/' }],
  [{ RESULTS_S3_ENDPOINT: 'http://minio:9000' }, { endpoint: 'http://minio:9000', region: null, prefix: 'results/' }],
  [{ RESULTS_S3_REGION: 'eu-central-1', RESULTS_S3_PREFIX: 'a/b' }, { endpoint: null, region: 'eu-central-1', prefix: 'a/b/' }],
  [{ RESULTS_S3_PREFIX: 'a/b/' }, { endpoint: null, region: null, prefix: 'a/b/' }],
])('results in S3 with %o', (more, expected) => {
  const { results } = readConfig({ RESULTS: 's3', RESULTS_S3_BUCKET: 'acme-querypost', ...more })
  expect(results).toEqual({ kind: 's3', bucket: 'acme-querypost', ...expected })
})

test('requires a bucket for RESULTS=s3, and rejects one otherwise', () => {
  expect(() => readConfig({ RESULTS: 's3' })).toThrow(/^RESULTS_S3_BUCKET is missing: .*Example: RESULTS_S3_BUCKET=/)
  expect(() => readConfig({ RESULTS_S3_BUCKET: 'acme' })).toThrow(/^RESULTS_S3_BUCKET is set, .*RESULTS is files.*RESULTS=s3/)
  expect(() => readConfig({ RESULTS: 'postgres', RESULTS_S3_REGION: 'eu-central-1' })).toThrow(/^RESULTS_S3_REGION is set/)
})

test.each([
  [{}, 0],
  [{ DATABASE_URL: 'postgres://localhost/querypost' }, 5],
  [{ DATABASE_URL: 'postgres://localhost/querypost', ROLE: 'api' }, 5],
  [{ DATABASE_URL: 'postgres://localhost/querypost', ROLE: 'worker' }, 0],
  [{ DRAIN_SECONDS: '0.5' }, 0.5],
])('drains before stopping if it may be behind a load balancer: %j', (environment, seconds) => {
  expect(readConfig(environment).drainSeconds).toBe(seconds)
})

test('OpenTelemetry is off without an endpoint and when it is disabled', () => {
  expect(readConfig({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'nonsense' }).telemetry).toBeNull()
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'True' }).telemetry).toBeNull()
})

test('reads the variables of OpenTelemetry', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
  expect(readConfig(endpoint).telemetry).toEqual({
    tracesUrl: 'http://collector:4318/v1/traces',
    metricsUrl: 'http://collector:4318/v1/metrics',
    headers: {},
    serviceName: 'querypost',
    resourceAttributes: {},
    sampler: { name: 'parentbased_always_on', ratio: 1 },
    showsSql: false,
    timeoutMs: 10_000,
    spansEveryMs: 5_000,
    metricsEveryMs: 60_000,
  })
  const chosen = readConfig({
    ...endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/otlp',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=reports,team=data',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    TRACE_SQL: 'shown',
  })
  expect(chosen.telemetry).toMatchObject({
    tracesUrl: 'https://traces.example.com/otlp',
    metricsUrl: null,
    headers: { authorization: 'Bearer token' },
    serviceName: 'reports',
    resourceAttributes: { team: 'data' },
    sampler: { name: 'parentbased_traceidratio', ratio: 0.25 },
    showsSql: true,
  })
})

test.each([
  [{ OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER=sometimes'],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG=2'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'http/json'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'secret-token' }, 'OTEL_EXPORTER_OTLP_HEADERS: the value is not'],
])('rejects %o', (environment, message) => {
  const read = () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', ...environment })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(message)
})
