import { account } from './account.ts'
import { buildings } from './buildings.ts'
import { changes } from './changes.ts'
import { chart } from './chart.ts'
import { explanation } from './explanation.ts'
import { heat } from './heat.ts'
import { keys } from './keys.ts'
import { members } from './members.ts'
import { notifications } from './notifications.ts'
import { record } from './record.ts'
import { roomSettings } from './room-settings.ts'
import { schedule } from './schedule.ts'
import { setup } from './setup.ts'
import { webhooks } from './webhooks.ts'

export const others = {
  ...account,
  ...buildings,
  ...changes,
  ...chart,
  ...explanation,
  ...heat,
  ...keys,
  ...members,
  ...notifications,
  ...record,
  ...roomSettings,
  ...setup,
  ...schedule,
  ...webhooks,
}
