import { api, dataOf, type Schemas } from '../core/api.ts';
import { count } from '../core/format.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';

type Voucher = Schemas['Voucher'];

function flip(vouchers: readonly Voucher[], isOn: boolean) {
  return Promise.all(
    vouchers.map(({ code }) => {
      const params = { path: { code } };
      return dataOf(
        isOn ? api.POST('/v1/vouchers/{code}/enable', { params }) : api.POST('/v1/vouchers/{code}/disable', { params }),
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
  const change = (isOn: boolean) => async () => {
    const changing = rows.filter(({ active }) => Boolean(active) !== isOn);
    const say = isOn ? words.vouchers.switchedOn : words.vouchers.switchedOff;
    await attempt(
      say(count(changing.length)),
      () => flip(changing, isOn),
      () => attempt(words.undone, () => flip(changing, !isOn)).then(reload),
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
