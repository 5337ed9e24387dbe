import { api, dataOf, type Schemas } from '../core/api.ts';
import { isOn } from '../core/benefit.ts';
import { count } from '../core/format.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';

type Voucher = Schemas['Voucher'];

function flip(vouchers: readonly Voucher[], toOn: boolean) {
  return Promise.all(
    vouchers.map(({ code }) => {
      const params = { path: { code } };
      return dataOf(
        toOn ? api.POST('/v1/vouchers/{code}/enable', { params }) : api.POST('/v1/vouchers/{code}/disable', { params }),
      );
    }),
  );
}

interface SelectedVouchersProps {
  readonly rows: readonly Voucher[];
  readonly reload: () => void;
}

/** Switches the selected vouchers on or off. Undo changes only those that were changed. */
export function SelectedVouchers({ rows, reload }: SelectedVouchersProps) {
  const change = (toOn: boolean) => async () => {
    const changing = rows.filter(({ active }) => isOn(active) !== toOn);
    const say = toOn ? words.vouchers.switchedOn : words.vouchers.switchedOff;
    await attempt(
      say(count(changing.length)),
      () => flip(changing, toOn),
      changing.length === 0 ? undefined : () => attempt(words.undone, () => flip(changing, !toOn)).then(reload),
    );
    reload();
  };
  return (
    <>
      <button type="button" onClick={change(false)}>
        {words.switchOff}
      </button>
      <button type="button" onClick={change(true)}>
        {words.switchOn}
      </button>
    </>
  );
}
