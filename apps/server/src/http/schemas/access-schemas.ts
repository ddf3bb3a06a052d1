import { Type } from 'typebox'
import { accessLimits, databaseLevels, folderLevels } from '../../model/access.ts'
import { rowRuleKinds, rowRuleLimits } from '../../model/row-rule.ts'
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

export const RowRuleKind = namedEnum(
  'RowRuleKind',
  rowRuleKinds,
  'What gets the value of the attribute: a parameter of queries, or the setting, role or user of the session at the database.',
)
const shortText = Type.String({ maxLength: rowRuleLimits.valueCharacters * 2 })
export const RowRule = Type.Object(
  {
    attribute: shortText,
    kind: RowRuleKind,
    name: described(Type.Union([shortText, Type.Null()]), 'Of the parameter or the setting; null for a role and a user.'),
    automationValue: described(Type.Union([shortText, Type.Null()]), 'Null: automations can’t query the database.'),
  },
  { title: 'RowRule', description: 'Which attribute of a member decides about the rows of a database, and how.', ...closed },
)
export const RowRules = Type.Object({ rules: Type.Array(RowRule, { maxItems: rowRuleLimits.rules }) }, { title: 'RowRules', ...closed })

export const MemberAttribute = Type.Object(
  { userId: Type.String(), name: Type.String(), value: Type.String(), isFromProvider: Type.Boolean() },
  { title: 'MemberAttribute', description: 'A text about a member that row rules refer to.' },
)
export const MemberAttributes = Type.Object(
  { attributes: Type.Record(Type.String(), shortText, { maxProperties: rowRuleLimits.attributes }) },
  { title: 'MemberAttributes', ...closed },
)

export const AccessMatrix = Type.Object(
  {
    databases: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        levels: Type.Array(GroupDatabaseLevel),
        rowRules: Type.Array(RowRule),
        rowRuleKinds: described(Type.Array(RowRuleKind), 'The kinds of rules that the database can have.'),
      }),
    ),
    folders: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), parentId: NullableText, levels: Type.Array(GroupFolderLevel) }),
    ),
  },
  { title: 'AccessMatrix', description: 'What groups may see and do. Levels that are not listed are the default or inherited.' },
)
