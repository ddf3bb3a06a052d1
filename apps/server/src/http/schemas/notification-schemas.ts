import { Type } from 'typebox'
import { notificationKinds } from '../../model/notification.ts'
import { described, listPage, namedEnum, NullableTimestamp, Timestamp } from '../schemas.ts'

export const Notification = Type.Object(
  {
    id: Type.String(),
    kind: namedEnum('NotificationKind', notificationKinds),
    message: Type.String(),
    link: Type.String({ description: 'Path of the page it is about.' }),
    createdAt: Timestamp,
    readAt: NullableTimestamp,
  },
  { title: 'Notification', description: 'An in-app notification for the signed-in user.' },
)

export const UnreadCount = Type.Object({ unreadCount: Type.Integer() }, { title: 'UnreadCount' })

export const NotificationPage = Type.Object(
  { ...listPage(Notification).properties, ...UnreadCount.properties },
  { title: 'NotificationPage' },
)

export const NotificationSettings = Type.Object(
  {
    emailEnabled: Type.Boolean(),
    commentEmailEnabled: described(Type.Boolean(), 'Whether e-mails are also sent about mentions and replies. Has no effect unless `emailEnabled`.'),
    canSendMail: Type.Boolean({ description: 'Whether the operator has set up a mail server.' }),
    email: Type.String(),
  },
  { title: 'NotificationSettings' },
)

export const EmailTest = Type.Union(
  [
    Type.Object({ ok: Type.Literal(true) }),
    Type.Object({ ok: Type.Literal(false), message: Type.String() }),
  ],
  { title: 'EmailTest' },
)
