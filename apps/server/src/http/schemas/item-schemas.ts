import { type TSchema, Type } from 'typebox'
import { itemKinds, itemLimits } from '../../model/item.ts'
import { closed, described, namedEnum, NullableText, oneOf, orNull, Timestamp } from '../schemas.ts'

const itemFields = {
  kind: namedEnum('ItemKind', itemKinds),
  shortId: Type.String(),
  title: Type.String(),
  description: NullableText,
}

export const FavoriteItem = Type.Object(
  { ...itemFields, markedAt: Timestamp },
  { title: 'FavoriteItem', description: 'A query or a board that the caller marked as a favorite.' },
)

export const ViewedItem = Type.Object(
  { ...itemFields, viewedAt: Timestamp },
  { title: 'ViewedItem', description: 'A query or a board that the caller has opened.' },
)

export const UsedTag = Type.Object(
  { tag: Type.String(), count: described(Type.Integer(), 'The number of queries and boards with this tag.') },
  { title: 'UsedTag' },
)

/** What a list and a page of an item show in addition. */
export const markFields = {
  isFavorite: described(Type.Boolean(), 'Whether it is a favorite of the caller.'),
  folderId: described(NullableText, 'Null at the top.'),
  tags: Type.Array(Type.String()),
}

export const Marks = Type.Object(markFields, { title: 'ItemMarks', description: 'How the caller finds a query or a board again.' })

export const TagsChange = Type.Object({ tags: Type.Array(Type.String(), { maxItems: 100 }) }, { title: 'TagsChange', ...closed })

export const ItemTags = Type.Object({ tags: Type.Array(Type.String()) }, { title: 'ItemTags' })

const nameFields = { kind: itemFields.kind, shortId: Type.String() }

export const TrashItem = Type.Object(
  {
    ...nameFields,
    title: Type.String(),
    deletedAt: Timestamp,
    deletedBy: described(
      orNull(Type.Object({ id: Type.String(), name: Type.String() })),
      'Null if it was deleted before the trash kept this.',
    ),
    removedAt: described(Timestamp, 'When it is permanently removed, unless it is restored before.'),
  },
  { title: 'TrashItem', description: 'A deleted query or board that can be restored.' },
)

/** The items that one request changes. */
export const manyItems = <Item extends TSchema>(item: Item) =>
  Type.Array(item, { minItems: 1, maxItems: itemLimits.changedAtOnce })

/** Items that others use are deleted only with `evenIfUsed`. */
export const Deletion = Type.Object({ evenIfUsed: Type.Optional(oneOf(['true', 'false'])) }, closed)

export const NamedItem = Type.Object(nameFields, { title: 'NamedItem', ...closed })

export const ItemMove = Type.Object(
  { ...nameFields, folderId: described(NullableText, 'Null moves it to the top.') },
  { title: 'ItemMove', ...closed },
)

const Tags = Type.Array(Type.String(), { maxItems: 100 })

export const ItemTagging = Type.Object({ ...nameFields, add: Tags, remove: Tags }, { title: 'ItemTagging', ...closed })
