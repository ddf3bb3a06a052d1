import { Type } from 'typebox'
import { accessLimits, databaseLevels, folderLevels } from '../../model/access.ts'
import { closed, described, namedEnum, NullableText, Timestamp } from '../schemas.ts'

/** Groups, and what they may see and do. */
export const DatabaseLevel = namedEnum(
  'DatabaseLevel',
  databaseLevels,
  '`none`: the database and everything that reads it is hidden. `manage`: also change its connection.',
)
export const FolderLevel = namedEnum('FolderLevel', folderLevels, '`none`: the folder and everything in it is hidden.')

export const Group = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    memberIds: Type.Array(Type.String()),
    createdAt: Timestamp,
  },
  { title: 'Group', description: 'A set of members.' },
)

const groupFields = {
  name: Type.String({ maxLength: accessLimits.groupNameCharacters * 2 }),
  memberIds: Type.Optional(Type.Array(Type.String(), { maxItems: 10_000 })),
}
export const NewGroup = Type.Object(groupFields, { title: 'NewGroup', ...closed })
export const GroupEdit = Type.Partial(Type.Object(groupFields), { title: 'GroupEdit', ...closed })

const groupId = described(NullableText, 'Null: every member.')
const maxItems = accessLimits.groups + 1
export const GroupDatabaseLevel = Type.Object({ groupId, level: DatabaseLevel }, { title: 'GroupDatabaseLevel', ...closed })
export const GroupFolderLevel = Type.Object({ groupId, level: FolderLevel }, { title: 'GroupFolderLevel', ...closed })
export const DatabaseLevels = Type.Object({ levels: Type.Array(GroupDatabaseLevel, { maxItems }) }, { title: 'DatabaseLevels', ...closed })
export const FolderLevels = Type.Object({ levels: Type.Array(GroupFolderLevel, { maxItems }) }, { title: 'FolderLevels', ...closed })

export const AccessMatrix = Type.Object(
  {
    databases: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), levels: Type.Array(GroupDatabaseLevel) })),
    folders: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), parentId: NullableText, levels: Type.Array(GroupFolderLevel) }),
    ),
  },
  { title: 'AccessMatrix', description: 'What groups may see and do. Levels that are not listed are the default or inherited.' },
)
