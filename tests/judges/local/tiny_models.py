"""Tiny models of the real architectures, with random weights or with weights set by hand so that answers are known.

No weights can be fetched where the tests run. A folder made here has the files that a published model has, and is
loaded by the same code.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

# Words whose presence decides in a hand-set model.
YES, NO = "agrees", "denies"

_WORDS = (
    f"{YES} {NO} wrong the a lake is deep very it holds 3 kinds of fish . , ? ! : - and not in predict premise "
    "hypothesis determine if true given passage briefly answer following question number old new stone house river "
    "runs north green hill far away nothing here says so about weather was mild that year"
).split()

# The places of T5's own pieces, which MiniCheck's answer is read from.
_T5_ZERO, _T5_ONE = 3, 209


def build_tokenizer(folder: Path, *, kind: str, words: Sequence[str] = ()) -> None:
    """Write a word-level tokenizer with the special tokens of "bert", "roberta" or "t5"."""
    from transformers import PreTrainedTokenizerFast

    named = {
        "bert": {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]"},
        "roberta": {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>", "cls": "<s>", "sep": "</s>"},
        "t5": {"pad": "<pad>", "eos": "</s>", "unk": "<unk>"},
    }[kind]
    special = list(dict.fromkeys(named.values()))
    ordinary = [*dict.fromkeys([*_WORDS, *words])]
    pieces = [*special, *ordinary]
    if kind == "t5":  # "0" and "1" where T5 has them
        pieces = [*special, "0", *ordinary]
        pieces += [f"extra{number}" for number in range(_T5_ONE - len(pieces))]
        pieces.insert(_T5_ONE, "1")
    tokenizer = Tokenizer(models.WordLevel({piece: at for at, piece in enumerate(pieces)}, unk_token=named["unk"]))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation()])
    tokenizer.decoder = decoders.WordPiece()
    ids = {name: pieces.index(name) for name in special}
    single, pair = {
        "bert": ("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1"),
        "roberta": ("<s> $A </s>", "<s> $A </s> </s> $B </s>"),
        "t5": ("$A </s>", "$A </s> $B </s>"),
    }[kind]
    tokenizer.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=list(ids.items()))
    given = {f"{role}_token": name for role, name in named.items()}
    inputs = ["input_ids", "token_type_ids", "attention_mask"] if kind == "bert" else ["input_ids", "attention_mask"]
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_input_names=inputs, **given).save_pretrained(folder)


def vocabulary_size(folder: Path) -> int:
    """Return how many pieces the tokenizer of a folder has."""
    return int(Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab_size())


def hand_set_nli(folder: Path, labels: Sequence[str] = ("contradiction", "entailment", "neutral")) -> Path:
    """Write a BERT that entails where `YES` is read, contradicts where `NO` is read, and is neutral otherwise.

    Attention is uniform, so the mean of all words reaches the first token; its norm is set to 1 again, so one word in
    hundreds decides as much as one in two.
    """
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    build_tokenizer(folder, kind="bert")
    config = BertConfig(
        vocab_size=vocabulary_size(folder),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        max_position_embeddings=512,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    model = BertForSequenceClassification(config).eval()
    vocabulary = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        bert, layer = model.bert, model.bert.encoder.layer[0]
        for norm in (bert.embeddings.LayerNorm, layer.attention.output.LayerNorm, layer.output.LayerNorm):
            norm.weight.fill_(1.0)
        words = bert.embeddings.word_embeddings.weight
        words[vocabulary[YES], 1] = 1.0
        words[vocabulary[NO], 2] = 1.0
        for dense in (layer.attention.self.value, layer.attention.output.dense, bert.pooler.dense):
            dense.weight.copy_(torch.eye(8))
        for number, label in enumerate(labels):
            dimension = {"entailment": 1, "contradiction": 2}.get(label)
            if dimension is None:
                model.classifier.bias[number] = 2.0
            else:
                model.classifier.weight[number, dimension] = 10.0
    model.save_pretrained(folder)
    return folder


def hand_set_marks(folder: Path) -> Path:
    """Write a BERT that marks the word "wrong" and no other."""
    import torch
    from transformers import BertConfig, BertForTokenClassification

    build_tokenizer(folder, kind="bert")
    config = BertConfig(
        vocab_size=vocabulary_size(folder),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        max_position_embeddings=512,
        num_labels=2,
    )
    model = BertForTokenClassification(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        layer = model.bert.encoder.layer[0]
        for norm in (model.bert.embeddings.LayerNorm, layer.attention.output.LayerNorm, layer.output.LayerNorm):
            norm.weight.fill_(1.0)
        number = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()["wrong"]
        model.bert.embeddings.word_embeddings.weight[number, 1] = 1.0
        model.classifier.weight[1, 1] = 10.0
        model.classifier.bias[0] = 2.0
    model.save_pretrained(folder)
    return folder


def random_model(folder: Path, kind: str, *, tokens: str, **settings: Any) -> Path:
    """Write a model of a class of Transformers with random weights, always the same."""
    import torch
    import transformers

    build_tokenizer(folder, kind=tokens)
    model_class = getattr(transformers, kind)
    config = model_class.config_class(vocab_size=vocabulary_size(folder), **settings)
    torch.manual_seed(7)
    model = model_class(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # larger than the usual beginnings, so that inputs differ in their logits
            parameter.add_(torch.randn_like(parameter) * 0.3)
    model.save_pretrained(folder)
    return folder


_BERT = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
_T5 = {"d_model": 16, "d_ff": 32, "d_kv": 8, "num_layers": 2, "num_heads": 2, "feed_forward_proj": "gated-gelu"}
_NLI = {"id2label": {0: "contradiction", 1: "entailment", 2: "neutral"}}


def deberta_nli(folder: Path) -> Path:
    """Write a DeBERTa-v3 as the NLI cross-encoders are."""
    return random_model(
        folder,
        "DebertaV2ForSequenceClassification",
        tokens="bert",
        **_BERT,
        **_NLI,
        pad_token_id=0,
        type_vocab_size=0,
        relative_attention=True,
        position_biased_input=False,
        pos_att_type=["p2c", "c2p"],
        position_buckets=32,
        norm_rel_ebd="layer_norm",
        share_att_key=True,
        max_relative_positions=-1,
    )


def roberta_minicheck(folder: Path) -> Path:
    """Write a RoBERTa as MiniCheck's is, with room for 62 tokens."""
    return random_model(
        folder,
        "RobertaForSequenceClassification",
        tokens="roberta",
        **_BERT,
        num_labels=2,
        max_position_embeddings=64,
        pad_token_id=1,
        type_vocab_size=1,
    )


def t5_minicheck(folder: Path) -> Path:
    """Write a T5 as MiniCheck's is."""
    return random_model(
        folder, "T5ForConditionalGeneration", tokens="t5", **_T5, pad_token_id=0, decoder_start_token_id=0
    )


def modernbert_marks(folder: Path) -> Path:
    """Write a ModernBERT as LettuceDetect's is."""
    return random_model(
        folder,
        "ModernBertForTokenClassification",
        tokens="bert",
        **_BERT,
        num_labels=2,
        max_position_embeddings=256,
        pad_token_id=0,
        cls_token_id=2,
        sep_token_id=3,
        bos_token_id=2,
        eos_token_id=3,
    )


def hhem(folder: Path) -> Path:
    """Write a model laid out as HHEM-2.1-Open: weights under "t5.", and its foundation in a folder of its own."""
    import torch
    from safetensors.torch import save_file
    from transformers import T5Config, T5ForTokenClassification

    foundation = folder / "foundation"
    build_tokenizer(foundation, kind="t5")
    config = T5Config(vocab_size=vocabulary_size(foundation), **_T5, pad_token_id=0, num_labels=2)
    torch.manual_seed(7)
    model = T5ForTokenClassification(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    config.save_pretrained(foundation)
    weights = {f"t5.{name}": tensor.contiguous() for name, tensor in model.state_dict().items()}
    weights.pop("t5.transformer.encoder.embed_tokens.weight")  # the same matrix as the shared one
    save_file(weights, folder / "model.safetensors")
    settings = {
        "architectures": ["HHEMv2ForSequenceClassification"],
        "auto_map": {
            "AutoConfig": "tiny_hhem.TinyConfig",
            "AutoModelForSequenceClassification": "tiny_hhem.TinyModel",
        },
        "model_type": "TinyHHEM",
        "foundation": str(foundation),
    }
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "tiny_hhem.py").write_text(_OWN_CODE, encoding="utf-8")
    return folder


# A class of a model's own, for who allows it. It leaves a mark where it runs.
_OWN_CODE = """
import os
from pathlib import Path
from transformers import AutoConfig, PretrainedConfig, PreTrainedModel, T5ForTokenClassification

Path(os.environ["TINY_HHEM_MARK"]).touch()


class TinyConfig(PretrainedConfig):
    model_type = "TinyHHEM"


class TinyModel(PreTrainedModel):
    config_class = TinyConfig

    def __init__(self, config):
        super().__init__(config)
        self.t5 = T5ForTokenClassification(AutoConfig.from_pretrained(config.foundation, num_labels=2))
        self.post_init()

    def _init_weights(self, module):
        pass

    def forward(self, **inputs):
        found = self.t5(**inputs)
        found.logits = found.logits[:, 0, :]
        return found
"""

# How a model of each judge is made, by the judge's name.
BUILDERS: dict[str, Callable[[Path], Path]] = {
    "nli": hand_set_nli,
    "hhem": hhem,
    "minicheck": roberta_minicheck,
    "lettucedetect": modernbert_marks,
}
