import { systemClock } from '@querypost/server/ports'
import { writeStoreImage } from '@querypost/server/store'

await writeStoreImage({ clock: systemClock })
