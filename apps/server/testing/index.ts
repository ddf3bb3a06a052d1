export { cheapHash } from './cheap-hash.ts'
export { type CollectedRoute, collectRoutes } from './http/collect-routes.ts'
export type {
  DeliveriesUnderTest,
  DeliveryRow,
  EndpointRow,
  NewEndpoint,
  NotificationRow,
  PublishOptions,
} from './deliveries/deliveries-under-test.ts'
export { settableClock, sqlDeliveries } from './deliveries/sql-deliveries.ts'
export { fakeNetwork } from './fake-network.ts'
export { makeOnce } from './make-once.ts'
export { pollPause } from './poll-pause.ts'
export { manualClock, type ManualClock } from './manual-clock.ts'
export { appWith } from './people/second-factor.ts'
export { openSampleOrganizations, type SampleOrganization, type SampleOrganizations } from './people/sample-organizations.ts'
export { seededRandom } from './seeded-random.ts'
export { type Authority, makeAuthority, makeSelfSigned } from './servers/certificates.ts'
export { startBigqueryEmulator } from './servers/bigquery-emulator.ts'
export {
  type ClickhouseServer,
  freeClickhousePorts,
  hasClickhouse,
  startClickhouseServer,
  testUser,
} from './servers/clickhouse-server.ts'
export { type DnsServer, startDnsServer } from './servers/dns-server.ts'
export { endWithUs } from './servers/end-with-us.ts'
export { freePort } from './servers/free-ports.ts'
export { type Answer, type Received, type Receiver, startListener, startReceiver } from './servers/https-receiver.ts'
export { type MailServer, startMailServer } from './servers/mail-server.ts'
export { startMariadbServer } from './servers/mariadb-server.ts'
export { startMcpServer } from './servers/mcp-server.ts'
export { type ModelServer, startModelServer } from './servers/model-server.ts'
export { type OidcServer, startOidcServer } from './servers/oidc-server.ts'
export { type CollectedSpan, type OtlpCollector, startOtlpCollector } from './servers/otlp-collector.ts'
export { type PostgresServer, startPostgresServer } from './servers/postgres-server.ts'
export { type PostgresWithPassword, startPostgresWithPassword } from './servers/postgres-with-password.ts'
export { startScriptedBigquery } from './servers/scripted-bigquery.ts'
export { type SlackServer, startSlackServer } from './servers/slack-server.ts'
export { drop, flood, hang, respond, write, writeAndEnd } from './servers/receiver-answers.ts'
export { silentLog } from './silent-log.ts'
export { copyTemplate } from './store/copy-template.ts'
export { createDatabase } from './store/create-database.ts'
export { faultsOf } from './store/migration-rules.ts'
export { storeTimeOf } from './store/store-time.ts'
export { hasTrino, startTrinoServer, trinoReader, type TrinoServer } from './servers/trino-server.ts'
