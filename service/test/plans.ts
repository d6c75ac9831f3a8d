import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'
import { PLAN_ONCE } from '../src/store/postgres/pool.ts'

/** One look into one table by a statement. */
export interface Access {
  table: string
  /** Empty where none is used. */
  index: string
  /** What the index is asked for; null where all rows are walked through. */
  condition: string | null
  /** Stops after the first rows it meets. */
  isLimited: boolean
}

type Explain = (sql: string, parameters: readonly unknown[]) => Promise<Access[]>

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

export async function explainOnPostgres(url: string): Promise<{ explain: Explain; end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set plan_cache_mode = ${PLAN_ONCE}`)
  // Where an index can be used at all it now is, however few rows a test has.
  await client.query('set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off')
  const explain: Explain = async (sql, parameters) => {
    const values = parameters.map((value) => (value === null ? 'null' : client.escapeLiteral(textOf(value))))
    await client.query(`prepare explained as ${sql}`)
    const given = values.length > 0 ? `(${values})` : ''
    const { rows } = await client.query(`explain (format json) execute explained${given}`)
    await client.query('deallocate explained')
    return accessesOf(rows[0]['QUERY PLAN'][0].Plan, false)
  }
  return { explain, end: () => client.end() }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map((each) => JSON.stringify(String(each)))}}`
  return value instanceof Date ? value.toISOString() : String(value)
}

const PASSES_ON = ['Append', 'Merge Append', 'Result', 'Subquery Scan']

function accessesOf(node: PlanNode, isLimited: boolean): Access[] {
  const { 'Node Type': type, 'Relation Name': relation, Plans: children = [] } = node
  const below = type === 'Limit' || (isLimited && PASSES_ON.includes(type))
  const inner = children.flatMap((child) => accessesOf(child, below))
  if (relation === undefined || !/Scan$/.test(type)) return inner
  const table = relation.replace(/_(before|default|\d{10})$/, '')
  const condition = node['Index Cond'] ?? children.map((child) => child['Index Cond'] ?? '').join(' and ')
  return [
    ...inner,
    {
      table,
      index: node['Index Name'] ?? children[0]?.['Index Name'] ?? '',
      condition: condition === '' ? null : condition,
      isLimited,
    },
  ]
}

export function explainOnSqlite(file: string): { explain: Explain; end(): Promise<void> } {
  const db = new DatabaseSync(file, { timeout: 5000 })
  const explain: Explain = async (sql, parameters) => {
    const steps = db.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[]))
    return steps.flatMap(({ detail }) => {
      const [, how, name = '', condition] = /^(SCAN|SEARCH) (\S+)(?:.*\((.*)\))?/.exec(String(detail)) ?? []
      if (how === undefined || /-ROW$|^CONSTANT$/.test(name) || isSubquery(sql, name)) return []
      const isLimited =
        / limit \?|limit 1/i.test(sql) && steps.every((step) => !/TEMP B-TREE/.test(String(step.detail)))
      const [, index = ''] = / INDEX (\w+)/.exec(String(detail)) ?? []
      return [{ index, table: tableOf(sql, name), condition: how === 'SEARCH' ? (condition ?? name) : null, isLimited }]
    })
  }
  return { explain, end: async () => db.close() }
}

/** What a subquery has found is walked through; its own tables are in the plan too. */
const isSubquery = (sql: string, name: string): boolean =>
  name.startsWith('(subquery') || new RegExp(`\\) as ${name}\\b`).test(sql)

/** A plan speaks of aliases. */
const tableOf = (sql: string, name: string): string => new RegExp(`"(\\w+)" as "${name}"`, 'i').exec(sql)?.[1] ?? name
