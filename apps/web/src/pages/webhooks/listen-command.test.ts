import { expect, test } from 'vitest'
import { listenCommand } from './listen-command.ts'

test('names the service where it is not the one that the command finds by itself', () => {
  expect(listenCommand('http://localhost:3000')).toBe('npx querypost listen --forward http://localhost:4000/hook')
  expect(listenCommand('https://querypost.example')).toBe(
    'npx querypost listen --url https://querypost.example --forward http://localhost:4000/hook',
  )
})
