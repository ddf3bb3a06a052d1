import { expect, test } from 'vitest'
import { frameAddress, readTarget } from './frame-address.ts'

const target = { origin: 'https://querypost.example.com', shortId: 'b7m2p9qxwd' }

test.each([
  { src: 'https://querypost.example.com/embed/b7m2p9qxwd' },
  { src: 'https://querypost.example.com/embed/b7m2p9qxwd/?token=old#theme' },
  { baseUrl: 'https://querypost.example.com', shortId: 'b7m2p9qxwd' },
  { baseUrl: 'https://querypost.example.com/', shortId: 'b7m2p9qxwd', src: '' },
])('reads %j', (given) => {
  expect(readTarget(given)).toEqual(target)
})

test.each([
  {},
  { src: 'javascript:alert(1)' },
  { src: 'data:text/html,x' },
  { src: '/embed/b7m2p9qxwd' },
  { src: 'https://querypost.example.com/b/b7m2p9qxwd' },
  { src: 'https://querypost.example.com/embed/' },
  { baseUrl: 'querypost.example.com', shortId: 'b7m2p9qxwd' },
  { baseUrl: 'https://querypost.example.com' },
  { baseUrl: 'https://querypost.example.com', shortId: '../s/x' },
])('rejects %j', (given) => {
  expect(readTarget(given)).toBeUndefined()
})

test('the theme is in the fragment, which is not sent to the service', () => {
  const url = new URL(frameAddress(target, 'a.b.c', { accent: '#112233' }))
  expect([url.origin + url.pathname, url.search, decodeURIComponent(url.hash)]).toEqual([
    'https://querypost.example.com/embed/b7m2p9qxwd',
    '?token=a.b.c',
    '#theme={"accent":"#112233"}',
  ])
})
