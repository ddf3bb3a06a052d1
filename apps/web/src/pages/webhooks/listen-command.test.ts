import { expect, test } from 'vitest'
import { listenCommand } from './listen-command.ts'

test('includes the URL of the service unless it is the default', () => {
  expect(listenCommand('http://localhost:3000')).toBe('npx querypost listen --forward http://localhost:4000/hook')
  expect(listenCommand('https://querypost.example')).toBe(
    'npx querypost listen --url https://querypost.example --forward http://localhost:4000/hook',
  )
})
