import {
  AddColumnNode,
  AlterTableNode,
  type ColumnDefinitionNode,
  CompiledQuery,
  CreateTableNode,
  PostgresQueryCompiler,
} from 'kysely'
import pg from 'pg'

/**
 * A statement that defines columns as several, of which each needs a lock on one table that is in use: the columns, and
 * then one foreign key after the other, first for new rows and then for those that are there.
 */
export function foreignKeysApart(compiled: CompiledQuery): CompiledQuery[] {
  const { query: node, queryId } = compiled
  const columns = columnsDefinedBy(node)
  if (columns.every(({ references }) => references === undefined)) return [compiled]
  const table = (node as CreateTableNode | AlterTableNode).table.table.identifier.name
  const alone = new PostgresQueryCompiler().compileQuery(withoutReferences(node), queryId)
  return [alone, ...columns.flatMap((column) => foreignKeyOf(table, column).map((text) => CompiledQuery.raw(text)))]
}

type Node = CompiledQuery['query']

function columnsDefinedBy(node: Node): readonly ColumnDefinitionNode[] {
  if (CreateTableNode.is(node)) return node.columns
  if (!AlterTableNode.is(node)) return []
  return (node.columnAlterations ?? []).filter((each) => AddColumnNode.is(each)).map(({ column }) => column)
}

function withoutReferences(node: Node): Node {
  const bare = ({ references: _, ...column }: ColumnDefinitionNode): ColumnDefinitionNode => column
  if (CreateTableNode.is(node)) return { ...node, columns: node.columns.map(bare) } as Node
  const columnAlterations = ((node as AlterTableNode).columnAlterations ?? []).map((each) =>
    AddColumnNode.is(each) ? AddColumnNode.create(bare(each.column)) : each,
  )
  return { ...node, columnAlterations } as Node
}

/** With the name that PostgreSQL would give it. */
function foreignKeyOf(table: string, { column, references }: ColumnDefinitionNode): string[] {
  if (references === undefined) return []
  const name = column.column.name
  const constraint = pg.escapeIdentifier(`${table}_${name}_fkey`)
  const to = pg.escapeIdentifier(references.table.table.identifier.name)
  const toColumns = references.columns.map((each) => pg.escapeIdentifier(each.column.name)).join(', ')
  const onDelete = references.onDelete === undefined ? '' : ` on delete ${references.onDelete}`
  const alter = `alter table ${pg.escapeIdentifier(table)}`
  return [
    `${alter} add constraint ${constraint} foreign key (${pg.escapeIdentifier(name)}) references ${to} (${toColumns})${onDelete} not valid`,
    `${alter} validate constraint ${constraint}`,
  ]
}
