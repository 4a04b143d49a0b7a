import { describe, expect, it } from "vitest";
import { formattedText } from "./formatted-paste";

describe("text that is pasted with its formatting", () => {
  it.each([
    ["nothing is formatted", "Olá, Ana!", "<p>Olá, Ana!</p>", undefined],
    ["there is only plain text", "Olá", "", undefined],
    ["a word is bold", "Só hoje: 20 % off", "Só hoje: <b>20 % off</b>", "Só hoje: *20 % off*"],
    ["spaces stay outside", "Só hoje 20 % off", "Só<strong> hoje </strong>20 % off", "Só *hoje* 20 % off"],
    ["styles are joined", "a b c", "a <b><i>b</i></b> <s>c</s>", "a *_b_* ~c~"],
    ["code", "use A1", "use <code>A1</code>", "use ```A1```"],
    ["each line for itself", "um\ndois", "<b>um<br>dois</b>", "*um*\n*dois*"],
    ["a part of a word cannot be bold", "girassóis", "gira<b>ssóis</b>", undefined],
    ["a lone sign is not bold", "a - b", "a <b>-</b> b", undefined],
    ["signs that are there already", "*Oi* Ana", "<b>*Oi*</b> Ana", undefined],
    [
      "from Word, with its lists and line ends",
      "Caro cliente,\r\n\r\n·\tRosas\r\n·\tLírios\r\n",
      `<html><head><style>p {margin:0}</style></head><body><p class=MsoNormal>Caro <b>cliente</b>,<o:p></o:p></p>
       <p>&nbsp;</p><p style='mso-list:l0'>Rosas</p><p><b style='mso-bidi-font-weight:normal'>L&iacute;rios</b></p></body></html>`,
      "Caro *cliente*,\n\n·\tRosas\n·\t*Lírios*\n",
    ],
    [
      "from Google Docs, which is in a bold element that is not bold",
      "Oferta de Natal",
      `<meta charset="utf-8"><b style="font-weight:normal;"><span style="font-weight:700">Oferta</span><span style="font-weight:400"> de Natal</span></b>`,
      "*Oferta* de Natal",
    ],
    ["a part of a variable", "Oi {{nome}}, até", "Oi {{<b>nome</b>}}, <b>até</b>", "Oi {{nome}}, *até*"],
    ["the two are not the same text", "Outra coisa", "<b>Oferta</b>", undefined],
    ["emoji and variables", "Oi {{1}} 🌹 hoje", "Oi <b>{{1}} 🌹</b> hoje", "Oi *{{1}} 🌹* hoje"],
  ])("%s", (_, plain, html, expected) => {
    expect(formattedText(plain, html)).toBe(expected);
  });

  it("runs nothing of it", () => {
    expect(formattedText("Oi", `<b>Oi</b><script>document.title = "x"</script><img src="x" onerror="throw 1">`)).toBe(
      "*Oi*",
    );
    expect(document.title).not.toBe("x");
  });
});
