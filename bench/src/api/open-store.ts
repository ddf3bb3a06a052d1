/** Opens the embedded store of a folder and ends: the part of a start that is not ours. A process of its own. */
import { openEmbedded } from '../../../apps/server/src/store/db.ts'

const store = await openEmbedded({ folder: process.argv[2]! })
await store.close()
