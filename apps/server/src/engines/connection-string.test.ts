import { expect, test } from 'vitest'
import { type ConnectionParts, parseConnectionString } from './connection-string.ts'
import { definitionOf, type ServerEngine, serverEngines } from './registry/definitions.ts'

function parse(engine: ServerEngine, text: string): ConnectionParts | undefined {
  const { place } = definitionOf(engine)
  return place.on === 'server' ? parseConnectionString(text, place.connectionStrings) : undefined
}

const account = { user: 'ann', password: 'p@ss/w:rd' }
const one = (host: string, port = '') => ({ host, port, otherHosts: [] })

test.each<[ServerEngine, string, ConnectionParts]>([
  [
    'postgres',
    'postgres://ann:p%40ss%2Fw%3Ard@db.example.com:5433/shop?sslmode=require&application_name=x',
    { ...one('db.example.com', '5433'), ...account, database: 'shop', tls: 'encrypted' },
  ],
  ['postgres', 'postgresql://ann:p@ss%2Fw:rd@db/shop?sslmode=verify-full', { ...one('db'), ...account, database: 'shop', tls: 'verified' }],
  ['postgres', 'jdbc:postgresql://db/shop?user=ann&password=x%26y', { ...one('db'), user: 'ann', password: 'x&y', database: 'shop' }],
  ['postgres', ' postgres://[::1]:5432,b:5433 ', { host: '::1', port: '5432', otherHosts: [{ host: 'b', port: '5433' }] }],
  ['postgres', 'postgres://ann:100%@db/shop', { ...one('db'), user: 'ann', password: '100%', database: 'shop' }],
  ['mysql', 'mysql://ann@db:3307/shop?ssl-mode=DISABLED', { ...one('db', '3307'), user: 'ann', database: 'shop', tls: 'off' }],
  ['mysql', 'mariadb://db/shop?sslmode=verify_identity', { ...one('db'), database: 'shop', tls: 'verified' }],
  ['clickhouse', 'clickhouse://ann:x@db:9440/shop?secure=true', { ...one('db'), user: 'ann', password: 'x', database: 'shop', tls: 'verified' }],
  ['clickhouse', 'https://ann:x@db:8443/?database=shop', { ...one('db', '8443'), user: 'ann', password: 'x', database: 'shop', tls: 'verified' }],
  ['clickhouse', 'http://db:8123', { ...one('db', '8123'), tls: 'off' }],
  [
    'trino',
    'trino://ann@db:443/hive/web?SSL=true',
    { ...one('db', '443'), user: 'ann', database: 'hive', tls: 'verified', options: { schema: 'web' } },
  ],
  [
    'snowflake',
    'snowflake://ann@org-acme.snowflakecomputing.com/SHOP/WEB?warehouse=SMALL&role=READER&insecureMode=true',
    {
      ...one('org-acme.snowflakecomputing.com', ''), user: 'ann', database: 'SHOP', tls: 'verified',
      options: { schema: 'WEB', warehouse: 'SMALL', role: 'READER' },
    },
  ],
  ['trino', 'jdbc:trino://db:8080/hive', { ...one('db', '8080'), database: 'hive', tls: 'off' }],
])('%s reads %s', (engine, text, parts) => {
  const found = parse(engine, text)
  expect({ ...found }).toEqual(parts)
})

test.each<[ServerEngine, string]>([
  ['postgres', 'mysql://ann@db/shop'],
  ['postgres', 'db.example.com'],
  ['postgres', 'postgres:///shop'],
  ['postgres', 'postgres://a:b:c/shop'],
  ['trino', ''],
])('%s does not read %j', (engine, text) => {
  expect(parse(engine, text)).toBeUndefined()
})

test.each(serverEngines)('the example of %s can be read', (engine) => {
  const { place } = definitionOf(engine)
  expect(place.on === 'server' && parse(engine, place.connectionStrings.example)).toMatchObject({ host: 'host', user: 'user' })
})
