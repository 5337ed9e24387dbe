import type { Schemas } from '../core/api.ts';
import { count, human } from '../core/format.ts';
import { words } from '../words.ts';

const w = words.work;

const shownRows = 3;

type Preview = Schemas['ImportCustomersAcceptedPreview']['preview'];

function meaningOf({ field, metadata }: Preview['columns'][number]): string {
  if (metadata !== undefined) return w.asMetadata(metadata);
  return field === undefined ? w.ignored : human(field);
}

/** Shows the columns and first rows of a file, and the rows that would fail. */
export function ImportPreview({ preview }: { preview: Preview }) {
  const { columns, rows, rows_count, checked_count, failed_count, failed, encoding } = preview;
  return (
    <>
      <p>
        <b>{w.rows(count(rows_count), count(failed_count))}</b>
        {checked_count < rows_count ? ` ${w.checked(count(checked_count))}` : ''}
        {encoding ? ` ${w.encoding(encoding)}` : ''}
      </p>
      <div class="wide">
        <table class="list">
          <thead>
            <tr>
              {columns.map(({ title }) => (
                <th key={title}>{title}</th>
              ))}
            </tr>
            <tr>
              {columns.map((column) => (
                <th key={column.title}>
                  <small>{meaningOf(column)}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownRows).map((cells, row) => (
              <tr key={`${row}:${cells.join()}`}>
                {cells.map((cell, column) => (
                  <td key={columns[column]?.title}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul>
        {failed.map(({ row, reason }) => (
          <li key={row}>{w.faultyRow(count(row), reason)}</li>
        ))}
      </ul>
    </>
  );
}
