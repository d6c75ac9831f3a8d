import { eventually } from '@hypocaust/testing/eventually.ts'
import { openWorld } from '@hypocaust/testing/world.ts'
import { expect, test } from 'vitest'
import { CommitNews } from '../src/processes/commit-news.ts'
import type { Happening } from '../src/processes/news.ts'

test('on SQLite a page hears of every commit, also by another process, and of nothing else', async () => {
  const world = await openWorld('sqlite')
  const other = await world.test.openAgain()
  const news = new CommitNews(world.store)
  const heard: Happening[] = []
  const leave = news.subscribe((what) => heard.push(what))
  const looked = () => eventually(() => heard.length > 0)

  await other.db.updateTable('buildings').set({ name: 'Lakeside 13' }).execute()
  await looked()
  expect(heard).toEqual([{ kind: 'anything' }])

  heard.length = 0
  await world.get('/v1/buildings')
  await world.patch({ target_temperature: 22.5 })
  await looked()
  expect(heard[0]).toEqual({ kind: 'anything' })

  for (const write of [
    world.store.db.updateTable('rooms').set({ name: 'Sauna' }).where('id', '=', world.bathroomId),
    world.store.db.updateTable('rooms').set({ name: 'Bath' }).where('id', '=', world.bathroomId).returning('id'),
  ]) {
    heard.length = 0
    await write.execute()
    await looked()
  }

  leave()
  await other.close()
  await world.close()
})
