import { readFileSync } from 'node:fs'
import { main, readKeys, verify } from './receiver.mjs'

for (const { secrets, headers, bodyBase64, now, toleranceSeconds } of JSON.parse(readFileSync('vectors.json', 'utf8'))) {
  try {
    const body = Buffer.from(bodyBase64, 'base64')
    const event = verify({ body, headers, keys: readKeys(secrets), nowSeconds: now, toleranceSeconds })
    console.log('verdict', event.id, event.type)
  } catch (error) {
    console.log('verdict', error.message)
  }
}
main()
