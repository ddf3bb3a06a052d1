import { expect, test } from 'vitest'
import { readVersion } from './version.ts'

test.each([
  ['PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc (Debian 14) 14.2.0, 64-bit', 'PostgreSQL 18.4', 18.4, false],
  ['PostgreSQL 16.2 (Debian 16.2-1.pgdg120+2) on x86_64-pc-linux-gnu', 'PostgreSQL 16.2', 16.2, false],
  ['PostgreSQL 17beta1 on aarch64-apple-darwin', 'PostgreSQL 17beta1', 17, false],
  ['PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.117891', 'Redshift 1.0.117891', 8, true],
])('%s', (text, name, major, isRedshift) => {
  expect(readVersion(text)).toMatchObject({ name, major, isRedshift })
})

const settingNames = (text: string) => readVersion(text).settings.map((setting) => setting.split(' ')[0])

test('sets only the settings that the server supports', () => {
  const always = ['TimeZone', 'DateStyle', 'extra_float_digits']
  expect(settingNames('PostgreSQL 8.0.2 on i686, Redshift 1.0.1')).toEqual(always)
  expect(settingNames('PostgreSQL 18.4 on x86_64-pc-linux-gnu')).toEqual([
    ...always, 'standard_conforming_strings', 'bytea_output', 'IntervalStyle', 'idle_in_transaction_session_timeout',
    'client_connection_check_interval',
  ])
  expect(settingNames('PostgreSQL 18.4 on x86_64-windows, compiled by msvc-19.44')).not.toContain('client_connection_check_interval')
  expect(settingNames('PostgreSQL 9.5.2 on x86_64')).not.toContain('idle_in_transaction_session_timeout')
  expect(settingNames('PostgreSQL 13.2 on x86_64')).not.toContain('client_connection_check_interval')
})
