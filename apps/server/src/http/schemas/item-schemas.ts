import { Type } from 'typebox'
import { itemKinds } from '../../model/item.ts'
import { closed, described, namedEnum, NullableText, Timestamp } from '../schemas.ts'

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
