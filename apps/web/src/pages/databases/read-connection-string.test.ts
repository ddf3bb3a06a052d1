import { expect, test } from 'vitest'
import { readConnectionString } from './read-connection-string.ts'

test('fills the fields of the form', () => {
  expect(readConnectionString('postgres://ann:secret@db:5433/shop?sslmode=disable', 'postgres')).toEqual({
    draft: {
      host: 'db',
      port: '5433',
      otherHosts: [],
      database: 'shop',
      user: 'ann',
      password: 'secret',
      tls: 'off',
      options: {},
      isPasswordRemoved: false,
    },
  })
})

test('verifies the certificate unless the string says otherwise', () => {
  expect(readConnectionString('mysql://db/shop', 'mysql')).toMatchObject({ draft: { tls: 'verified', password: '' } })
})

test('names the engine of another string, and never repeats the text', () => {
  expect(readConnectionString('mysql://ann:secret@db/shop', 'postgres')).toEqual({
    fault: 'This connection string is for MySQL or MariaDB. Choose it above.',
  })
  const wrong = readConnectionString('postgres://ann:secret@', 'postgres')
  expect(JSON.stringify(wrong)).not.toContain('secret')
  expect(readConnectionString('ann secret', 'postgres')).toEqual({ fault: expect.stringMatching(/^Use the form postgres:/) })
})
