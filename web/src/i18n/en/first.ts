import { common } from './common.ts'
import { house } from './house.ts'
import { room } from './room.ts'

export const first = { ...common, ...house, ...room }
