/** A program that opens the embedded store of a folder and exits: the part of a start that is PGlite's. */
import { openEmbedded } from '@querypost/server/store'

const store = await openEmbedded({ folder: process.argv[2]! })
await store.close()
