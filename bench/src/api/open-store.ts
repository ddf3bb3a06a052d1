/** Opens the embedded store of a folder and ends: the part of a start that is not ours. A process of its own. */
import { openEmbedded } from '@querypost/server/store'

const store = await openEmbedded({ folder: process.argv[2]! })
await store.close()
