import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../store/store-unavailable.ts'
import { makeDirectoryCache, NotPlacedHere } from './directory-cache.ts'

/** A directory, and stores of which one has the organization and some are away. */
function makeWorld() {
  const world = { storeId: 'a', away: '', lookups: 0, isDirectoryAway: false }
  const cache = makeDirectoryCache(async () => {
    world.lookups += 1
    if (world.isDirectoryAway) throw new StoreUnavailable('the directory is away')
    return world.storeId
  })
  const call = () =>
    cache.atStoreOf('org_1', async (storeId) => {
      if (storeId === world.away) throw new StoreUnavailable('the store is away')
      if (storeId !== world.storeId) throw new NotPlacedHere(storeId)
      return storeId
    })
  return { world, call }
}

test('asks the directory once, and serves remembered organizations while it is away', async () => {
  const { world, call } = makeWorld()
  await call()
  world.isDirectoryAway = true
  expect(await call()).toBe('a')
  expect(world.lookups).toBe(1)
})

test('finds an organization that has moved', async () => {
  const { world, call } = makeWorld()
  await call()
  world.storeId = 'b'
  expect(await call()).toBe('b')
})

test('finds an organization that has moved from a store that is away now', async () => {
  const { world, call } = makeWorld()
  await call()
  Object.assign(world, { storeId: 'b', away: 'a' })
  await expect(call()).rejects.toThrow(StoreUnavailable)
  expect(await call()).toBe('b')
})

test('keeps a remembered store if the directory is away, too', async () => {
  const { world, call } = makeWorld()
  await call()
  Object.assign(world, { away: 'a', isDirectoryAway: true })
  await expect(call()).rejects.toThrow('the store is away')
  world.away = ''
  expect(await call()).toBe('a')
})
