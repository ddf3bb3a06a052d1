import { expect, test } from 'vitest'
import { EngineError } from '../../engines/engine.ts'
import { HostFault } from './database-addresses.ts'
import { settingAtFault } from './setting-at-fault.ts'

const engineError = (message: string, code?: string) =>
  new EngineError('unreachable', message, code === undefined ? {} : { cause: Object.assign(new Error('of the driver'), { code }) })

test.each<[EngineError, string | undefined]>([
  [new HostFault('The host name db.example does not exist or has no address.'), '/settings/host'],
  [new EngineError('unreachable', 'x', { cause: engineError('y', 'ECONNREFUSED') }), '/settings/port'],
  [engineError('The database server did not answer within 10 seconds. Check the host and the port.'), '/settings/host'],
  [engineError('password authentication failed for user "tls". Check the user and the password.', '28P01'), '/password'],
  [engineError('role "ssl" does not exist. Check the user and the password.', '28000'), '/settings/user'],
  [engineError('database "certificate" does not exist. Check the name of the database.', '3D000'), '/settings/database'],
  [engineError('no pg_hba.conf entry for this host, user "reader", database "shop", no encryption.', '28000'), '/settings/tls'],
  [engineError('The database server requires a password, but none is set. Check the user and the password.'), '/password'],
  [engineError("Access denied for user 'reader' (using password: YES). Check the user and the password.", 'ER_ACCESS_DENIED_ERROR'), '/password'],
  [engineError("Access denied for user 'reader' to database 'shop'.", 'ER_DBACCESS_DENIED_ERROR'), '/settings/database'],
  [engineError("Unknown database 'shop'. Check the name of the database.", 'ER_BAD_DB_ERROR'), '/settings/database'],
  [engineError('The database server does not offer TLS. Enable it there, or turn TLS off here.'), '/settings/tls'],
  [engineError('The certificate of the database server is not valid: it is for another host.', 'ERR_TLS_CERT_ALTNAME_INVALID'), '/settings/tls'],
  [engineError("Database shop doesn't exist"), '/settings/database'],
  [engineError('Wrong password for user reader'), '/password'],
  [engineError('Unknown user reader'), '/settings/user'],
  [engineError('The server that answered is not the HTTP interface of ClickHouse. Check the port: it is 8123.'), '/settings/port'],
  [engineError('The database server does not accept connections: too many clients already.', '53300'), undefined],
])('%s is about %s', (error, path) => {
  expect(settingAtFault(error, 'postgres')).toBe(path)
})

test('a DuckDB file has no settings to blame', () => {
  expect(settingAtFault(engineError('The database cannot be opened: no such file'), 'duckdb')).toBeUndefined()
})
